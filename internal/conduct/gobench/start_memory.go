package gobench

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/gohone/hone/internal/conduct/gobench/process"
	"github.com/gohone/hone/internal/program/reach"
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
	if !reach.StartsAlike(allocated) {
		why = cmp.Or(why, fmt.Sprintf("the start allocates %s on A and %s on B", units.Bytes(float64(allocated[0])),
			units.Bytes(float64(allocated[1]))))
	}
	for i := range p.static.candidates {
		p.static.candidates[i].Suspect(why)
	}
	return nil
}

// startMemory is how many bytes some packages allocate before main.
func startMemory(ctx context.Context, program process.Program, packages []string) (bytes int, err error) {
	program.Env = append(slices.Clone(program.Env), reach.TracesStart(program.Env))
	limited, cancel := context.WithTimeout(ctx, usualCoverage)
	defer cancel()
	e, err := program.Run(limited, "-test.run=^$")
	if err != nil {
		return 0, err
	}
	return reach.StartMemory(e.Stderr, packages)
}
