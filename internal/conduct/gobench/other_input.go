package gobench

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gohone/hone/internal/conduct/gobench/benchtext"
	"github.com/gohone/hone/internal/conduct/gobench/otherinput"
	"github.com/gohone/hone/internal/conduct/gobench/process"
	"github.com/gohone/hone/internal/conduct/gobench/sources"
	"github.com/gohone/hone/internal/store/benchmarks"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/text/units"
)

// What a first operation does not gain may be a table or a buffer that later ones use, or the answer to the benchmark's
// only input. A copy of the benchmark with another input, in the same process after the benchmark, tells them apart: a
// table is there by then, an answer is not.

const (
	// otherPairs is how many processes of each side run both, at most, otherTime how long they may take.
	otherPairs, otherTime = 10, 5 * time.Second
	// otherRuns is how often a process runs each of the two, with one operation each time.
	otherRuns = 5
	// otherFile is the name of the file with the copy: the benchmarks of other files come before it.
	otherFile = "zzz_hone_other_input_test.go"
)

// errSameInput: hone knows no other input for a benchmark.
var errSameInput = errors.New("hone finds no other input for it in its source")

// others are, by side and process, the times of the first operation with another input and of later ones, in ns.
type others struct{ first, later [2][]float64 }

// checkOther says of a gain that first operations lack what it is.
func (m *measurement) checkOther(ctx context.Context, b *bench, first *record.Caveat) error {
	m.task.Progress.Phase("another input for "+b.name, 0)
	o, err := m.otherOf(ctx, b)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err == nil {
		o.explain(first)
		return nil
	}
	m.result.Notes = append(m.result.Notes, benchmarks.Note{Package: b.pkg.path,
		Text: fmt.Sprintf("it is not known whether other inputs gain as the one of %s: %s", b.name, inBrief(err))})
	return nil
}

// otherOf builds both sides with the copy, and runs them in random order.
func (m *measurement) otherOf(ctx context.Context, b *bench) (o others, err error) {
	var programs [2]process.Program
	for side := range programs {
		if programs[side], err = m.buildOther(ctx, b, side); err != nil {
			return o, err
		}
	}
	end := time.Now().Add(otherTime)
	for i := 0; i < otherPairs && (i < fewestOthers || time.Now().Before(end)); i++ {
		for _, side := range m.rng.Perm(2) {
			first, later, err := m.runOther(ctx, b, programs[side])
			if err != nil {
				return o, err
			}
			o.first[side], o.later[side] = append(o.first[side], first), append(o.later[side], later)
		}
	}
	return o, nil
}

// buildOther builds the test binary of a side with the copy.
func (m *measurement) buildOther(ctx context.Context, b *bench, side int) (program process.Program, err error) {
	p, text := b.pkg, ""
	tests := p.found[m.testsOn(side)]
	for _, names := range [][]string{tests.TestGoFiles, tests.XTestGoFiles} {
		text, err = otherinput.Copy(tests.Dir, names, b.function(), strings.Contains(b.plainName(), "/"))
		if err != nil {
			return program, err
		}
		if text != "" {
			break
		}
	}
	if text == "" {
		return program, errSameInput
	}
	dir, err := os.MkdirTemp(m.temp, "other-")
	if err != nil {
		return program, err
	}
	file, out := filepath.Join(dir, otherFile), filepath.Join(dir, m.sides[side].Name+".test")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		return program, err
	}
	overlay := p.overlays[side].And(sources.Overlay{Replace: map[string]string{
		filepath.Join(p.found[side].Dir, otherFile): file}})
	flag, err := overlay.Flag(out+".overlay.json", m.sides[side])
	if err != nil {
		return program, err
	}
	r := p.recipes[side]
	r.overlay = flag
	return process.Program{Path: out, Dir: p.binaries[side].Dir, Env: m.sides[side].Env},
		m.follow(ctx, side, r, m.sides[side].Flags, out)
}

// runOther runs the benchmark and then its copy, and returns the time of the first operation of the copy, and of the
// fastest later one.
func (m *measurement) runOther(ctx context.Context, b *bench, program process.Program) (first, later float64,
	err error) {
	limited, cancel := context.WithTimeout(ctx, m.task.Timeout)
	defer cancel()
	pattern := strings.Replace(b.pattern(), "^Benchmark", "^Benchmark("+otherinput.Prefix+")?", 1)
	e, err := program.Run(limited, slices.Concat([]string{"-test.run=^$", "-test.bench=" + pattern,
		"-test.benchtime=1x", "-test.count=" + strconv.Itoa(otherRuns),
		"-test.cpu=" + strconv.Itoa(b.procs)}, m.task.Args)...)
	if err != nil {
		return 0, 0, fmt.Errorf("with another input: %w %s", err, strings.TrimSpace(e.LastWords()))
	}
	var times []float64
	before := 0
	for _, r := range benchtext.Scan(e.Stdout) {
		switch string(r.Name) {
		case b.name:
			before++
		case otherinput.Prefix + b.name:
			times = append(times, benchtext.Nanos(r))
		}
	}
	if before < otherRuns || len(times) < otherRuns {
		return 0, 0, errors.New("with another input it has other sub-benchmarks, or prints no result")
	}
	return times[0], slices.Min(times[1:]), nil
}

const (
	// fewestOthers is the least number of processes that show what another input costs.
	fewestOthers = 6
	// cacheShare is the part of the gain from which on the first operation with another input lacks it, onceShare the
	// part up to which it has it.
	cacheShare, onceShare = 0.5, 0.25
)

// explain says what the first operation with another input shows, in the caveat of first operations. Of each kind of
// operation the fastest counts: a single one that another program disturbs may take ten times as long, and none takes
// less than its work.
func (o others) explain(c *record.Caveat) {
	var first, later [2]float64
	for side := range first {
		if len(o.first[side]) < fewestOthers {
			return
		}
		first[side], later[side] = slices.Min(o.first[side]), slices.Min(o.later[side])
	}
	gain, cold := min(first[0], later[0])-later[1], max(0, first[0]-later[0])
	lacks := first[1] - later[1] - cold // what the first operation costs B more
	times := fmt.Sprintf("%s on A and %s on B, the fastest of n=%d", units.Nanos(first[0]), units.Nanos(first[1]),
		len(o.first[1]))
	switch {
	case gain <= 0:
	case lacks > cacheShare*gain:
		c.Name = benchmarks.CaveatCache
		c.Text = "the gain is a cache: the first operation with an input is not faster (another input takes " + times +
			"). The benchmark repeats one input; do its users?"
	case lacks < onceShare*gain:
		c.Name = benchmarks.CaveatOnce
		c.Text = "the first operation of a process gains nothing, since it makes what later ones use, such as a " +
			"table or a buffer; after it another input gains at once (" + times + ")"
	}
}
