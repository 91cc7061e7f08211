package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/gohone/hone/services/havlak"
)

var havlakLoops = section{
	Name:  "havlak",
	Title: "Havlak loop recognition",
	About: `Published: the programs found the 76,000 loops of one graph 50 times, each timed as a whole on one machine. Here:
hone compare --once on the same graph, the programs executed in turns in random order. The stage slices is built as
the published Go final is, with the layout of C++ final; the stage final is a rung beyond, and its layout could be had in
C++ as well. g++ -O3. Figures are medians of user time, ratios those of CPU time (user and system) and of the largest
resident memory, to what each row names. The first versions are executed once for their figures, and in turns with 5
calls of the finder in place of 51 for their ratios.`,
	Measure: measureHavlak,
}

// took is what a program takes.
type took struct{ seconds, megabytes float64 }

// The published figures.
var (
	havlakCPPFirst = took{17.70, 715}
	havlakGoFirst  = took{25.05, 1334}
	havlakGoFinal  = took{2.26, 360}
	havlakCPPFinal = took{1.99, 388}
)

const havlakGo = "./services/havlak/cmd/havlak -stage "

// entrant is one program of a comparison.
type entrant struct {
	name, program string
	published     took // zero: none was
}

func measureHavlak(ctx context.Context, r *rig) ([]row, error) {
	goFirst := entrant{"Go first", havlakGo + "first", havlakGoFirst}
	slices := entrant{"Go slices (the published final)", havlakGo + "slices", havlakGoFinal}
	final := entrant{"Go final (a further rung)", havlakGo + "final", took{}}
	var rows []row
	cppFirst, cppFinal, err := r.havlakCPP(ctx)
	finals, firsts := []entrant{slices, final}, []entrant{goFirst, slices}
	switch {
	case errors.Is(err, havlak.ErrNoCompiler):
		rows = append(rows, row{What: "C++ first, C++ final", Here: "SKIPPED", Note: err.Error()})
	case err != nil:
		return rows, err
	default:
		finals, firsts = append([]entrant{cppFinal}, finals...), append(firsts, cppFirst)
	}
	size := []string{"-repeat", "50"}
	if r.quick {
		size = []string{"-repeat", "2"}
	}
	more, err := r.havlakCompare(ctx, finals, 90*time.Second, "", size...)
	if rows = append(rows, more...); err != nil {
		return rows, err
	}
	for _, e := range firsts {
		if e.name == slices.name {
			continue
		}
		next, err := r.havlakOnce(ctx, e, size...)
		if err != nil {
			return rows, err
		}
		rows = append(rows, next...)
	}
	more, err = r.havlakCompare(ctx, firsts, 90*time.Second, ", 5 calls", "-repeat", "4")
	return append(rows, more...), err
}

// havlakCPP compiles the programs in C++.
func (r *rig) havlakCPP(ctx context.Context) (first, final entrant, err error) {
	first, final = entrant{name: "C++ first", published: havlakCPPFirst}, entrant{name: "C++ final", published: havlakCPPFinal}
	if first.program, err = havlak.BuildCPP(ctx, "first", r.dir); err != nil {
		return first, final, err
	}
	final.program, err = havlak.BuildCPP(ctx, "final", r.dir)
	return first, final, err
}

// havlakCompare measures all against the first; mark is added to their names.
func (r *rig) havlakCompare(ctx context.Context, all []entrant, budget time.Duration, mark string, args ...string) ([]row, error) {
	var variants []string
	for _, e := range all {
		variants = append(variants, e.program)
	}
	c, err := r.compare(ctx, budget, append(append([]string{"--once"}, variants...), append([]string{"--"}, args...)...)...)
	if err != nil {
		return nil, err
	}
	if len(c.Runs) != len(all) {
		return nil, fmt.Errorf("%d programs were compared, %d executed", len(all), len(c.Runs))
	}
	var rows []row
	for i, e := range all {
		user, memory, err := e.rows(c.Runs[i], mark)
		if err != nil {
			return rows, err
		}
		if i > 0 {
			verdicts, err := c.verdicts(i)
			if err != nil {
				return rows, err
			}
			cpu, err1 := find(verdicts, "cpu")
			rss, err2 := find(verdicts, "rss")
			if err := errors.Join(err1, err2); err != nil {
				return rows, err
			}
			user.against(all[0].name, e.published.seconds/all[0].published.seconds, cpu)
			memory.against(all[0].name, e.published.megabytes/all[0].published.megabytes, rss)
		}
		rows = append(rows, user, memory)
	}
	return rows, nil
}

// against fills in the ratio to another program.
func (r *row) against(name string, published float64, v verdict) {
	r.What += ", to " + name
	r.PublishedRatio, r.Ratio = published, v.change()
}

// havlakOnce executes a program once, at full size.
func (r *rig) havlakOnce(ctx context.Context, e entrant, args ...string) ([]row, error) {
	d, err := r.run(ctx, append([]string{"--once", "--no-profile", e.program, "--"}, args...)...)
	if err != nil {
		return nil, err
	}
	user, memory, err := e.rows(d, "")
	if err != nil {
		return nil, err
	}
	user.Note, memory.Note = "executed once", "executed once"
	return []row{user, memory}, nil
}

// rows are the time and the memory of a program. A mark says that it had less to do than
// the published program.
func (e entrant) rows(d runDocument, mark string) (user, memory row, err error) {
	if d.Facts == nil {
		return user, memory, fmt.Errorf("run of %s says nothing of what it took", e.name)
	}
	user = row{What: e.name + mark + ": time", Here: secondsOf(d.Facts.User.Median)}
	memory = row{What: e.name + mark + ": memory", Here: megabytes(d.Facts.Resident.Median)}
	if e.published != (took{}) && mark == "" {
		user.Published, memory.Published = fmt.Sprintf("%.2f s", e.published.seconds), commas(int64(e.published.megabytes))+" MB"
	}
	return user, memory, nil
}
