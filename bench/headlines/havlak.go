package headlines

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/gohone/hone/judge"
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
calls of the finder instead of 51 for their ratios.`,
	Measure: measureHavlak,
}

// took is what a program takes.
type took struct{ seconds, megabytes float64 }

const havlakGo = "./services/havlak/cmd/havlak -stage "

// entrant is one program of a comparison.
type entrant struct {
	name, program string
	published     took // zero: none was
}

func measureHavlak(ctx context.Context, r *rig) (rows []row, err error) {
	goFirst := entrant{"Go first", havlakGo + "first", took{25.05, 1334}}
	slices := entrant{"Go slices (the published final)", havlakGo + "slices", took{2.26, 360}}
	final := entrant{"Go final (a further rung)", havlakGo + "final", took{}}
	cppFirst, cppFinal := entrant{name: "C++ first", published: took{17.70, 715}},
		entrant{name: "C++ final", published: took{1.99, 388}}
	finals, firsts := []entrant{slices, final}, []entrant{goFirst}
	cppFirst.program, err = havlak.BuildCPP(ctx, "first", r.dir)
	if err == nil {
		cppFinal.program, err = havlak.BuildCPP(ctx, "final", r.dir)
	}
	switch {
	case errors.Is(err, havlak.ErrNoCompiler):
		rows = append(rows, row{What: "C++ first, C++ final", Here: "SKIPPED", Note: err.Error()})
	case err != nil:
		return rows, err
	default:
		finals, firsts = append([]entrant{cppFinal}, finals...), append(firsts, cppFirst)
	}
	repeat := pick(r.quick, "2", "50")
	more, err := r.havlakCompare(ctx, finals, "", repeat)
	if rows = append(rows, more...); err != nil {
		return rows, err
	}
	for _, e := range firsts {
		d, err := r.run(ctx, nil, "--once", "--no-profile", e.program, "--", "-repeat", repeat)
		if err != nil {
			return rows, err
		}
		user, memory, err := e.rows(d, "")
		if err != nil {
			return rows, err
		}
		user.Note, memory.Note = "executed once", "executed once"
		rows = append(rows, user, memory)
	}
	inTurns := append([]entrant{goFirst, slices}, firsts[1:]...)
	more, err = r.havlakCompare(ctx, inTurns, ", 5 calls", "4")
	return append(rows, more...), err
}

// havlakCompare measures all against the first; mark is added to their names.
func (r *rig) havlakCompare(ctx context.Context, all []entrant, mark, repeat string) (rows []row, err error) {
	args := []string{"--once"}
	for _, e := range all {
		args = append(args, e.program)
	}
	c, err := r.compare(ctx, 90*time.Second, append(args, "--", "-repeat", repeat)...)
	if err != nil {
		return nil, err
	}
	if len(c.Runs) != len(all) {
		return nil, fmt.Errorf("%d programs were compared, %d executed", len(all), len(c.Runs))
	}
	for i, e := range all {
		user, memory, err := e.rows(c.Runs[i], mark)
		if err != nil {
			return rows, err
		}
		if i > 0 {
			v, err := c.against(i, "cpu", "rss")
			if err != nil {
				return rows, err
			}
			user.against(all[0].name, e.published.seconds/all[0].published.seconds, v[0])
			memory.against(all[0].name, e.published.megabytes/all[0].published.megabytes, v[1])
		}
		rows = append(rows, user, memory)
	}
	return rows, nil
}

// against fills in the ratio to another program.
func (r *row) against(name string, published float64, v judge.Verdict) {
	r.What += ", to " + name
	r.PublishedRatio, r.Ratio = published, change(v)
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
		user.Published, memory.Published = fmt.Sprintf("%.2f s", e.published.seconds),
			commas(int(e.published.megabytes))+" MB"
	}
	return user, memory, nil
}
