package gobench

import (
	"cmp"
	"context"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/gohone/hone/internal/conduct/gobench/process"
	"github.com/gohone/hone/internal/program/samecode"
	"github.com/gohone/hone/internal/text/units"
)

// checkStart compares the memory that both sides allocate before main, where something differs there that only fills
// variables: more memory makes the cycles of the collector longer for all benchmarks.
func (m *measurement) checkStart(ctx context.Context, p *pkg) error {
	packages := p.static.changed.StartsIn()
	if len(packages) == 0 || len(p.static.candidates) == 0 {
		return nil
	}
	var allocated [2]int
	why := ""
	for side, program := range p.binaries {
		var err error
		if allocated[side], err = startMemory(ctx, program, packages); ctx.Err() != nil {
			return ctx.Err()
		} else if err != nil {
			why = cmp.Or(why, "how much memory its start allocates is not known: "+inBrief(err))
		}
	}
	more := allocated[1] - allocated[0]
	if max(more, -more) > samecode.MostStarted {
		why = cmp.Or(why, fmt.Sprintf("the start allocates %s on A and %s on B", units.Bytes(float64(allocated[0])),
			units.Bytes(float64(allocated[1]))))
	}
	for i := range p.static.candidates {
		p.static.candidates[i].Suspect(why)
	}
	return nil
}

// traced is a line of GODEBUG=inittrace=1: init example.com/m @0.5 ms, 0.01 ms clock, 1024 bytes, 7 allocs.
var traced = regexp.MustCompile(`(?m)^init (\S+) @.* ms clock, (\d+) bytes, \d+ allocs$`)

// startMemory is how many bytes some packages allocate before main.
func startMemory(ctx context.Context, program process.Program, packages []string) (bytes int, err error) {
	settings := "inittrace=1"
	for _, v := range program.Env {
		if own, found := strings.CutPrefix(v, "GODEBUG="); found && own != "" {
			settings = own + ",inittrace=1"
		}
	}
	program.Env = append(slices.Clone(program.Env), "GODEBUG="+settings)
	limited, cancel := context.WithTimeout(ctx, usualCoverage)
	defer cancel()
	e, err := program.Run(limited, "-test.run=^$")
	if err != nil {
		return 0, err
	}
	lines := traced.FindAllStringSubmatch(e.Stderr, -1)
	if len(lines) == 0 { // the library always has some
		return 0, fmt.Errorf("%s says nothing of its start", program.Path)
	}
	for _, line := range lines {
		path, err := url.PathUnescape(line[1])
		if err != nil {
			return 0, err
		}
		n, err := strconv.Atoi(line[2])
		if err != nil {
			return 0, err
		}
		if slices.Contains(packages, path) {
			bytes += n
		}
	}
	return bytes, nil
}
