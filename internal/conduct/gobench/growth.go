package gobench

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"time"

	"golang.org/x/perf/benchfmt"

	"github.com/gohone/hone/internal/conduct/gobench/benchtext"
	"github.com/gohone/hone/internal/conduct/gobench/turns"
	"github.com/gohone/hone/internal/store/benchmarks"
	"github.com/gohone/hone/internal/text/units"
)

const (
	// fewOperations is the least for which the testing package does not take its first, cold,
	// run of one operation for the result.
	fewOperations = 2
	// moreOperations is how many times as many operations the next trial has, and surely how
	// many times as long it takes at least if its time grows with them. The rest is for what
	// does not depend on their number, and for the noise of the machine.
	moreOperations, surely = 8, 3
	// sureTime is longer than the timers and a cold cache take.
	sureTime = 100 * time.Microsecond
	// longTrial is what the testing package would not extend any more by far, and enough a
	// number of operations for which a loop shows in it.
	longTrial, enough = 100 * time.Millisecond, 128
	// mostBeside is how much longer than the first a process may run, timed or not. One whose start takes longer may
	// run twice as long: a long init scatters by as much.
	mostBeside = time.Second
)

// ignoresN says whether the time of a benchmark does not grow with the number of operations,
// by trials of ever more of them, and which two of them show it. once is the time of one cold
// operation. Trials end as soon as the time grows; that is after two or three for most.
func ignoresN(once time.Duration, run func(n int) (benchmarks.Trial, error)) (few, many benchmarks.Trial, ignores bool,
	err error) {
	if few, err = run(fewOperations); err != nil {
		return few, few, false, err
	}
	if once > turns.LongTurn && 2*few.Timed > surely*once { // slow: two take far longer than one
		return few, few, false, nil
	}
	for last := few; ; last = many {
		if many, err = run(last.Operations * moreOperations); err != nil {
			return few, many, false, err
		}
		if many.Timed >= max(surely*last.Timed, sureTime) && mostlyUntimed(few, many) && many.Wall < 2*mostBeside {
			// Both once more, so that no single sleep decides, be it long or short.
			again, err := run(many.Operations)
			if err != nil {
				return few, many, false, err
			}
			before, err := run(last.Operations)
			if err != nil {
				return few, many, false, err
			}
			many.Timed, last.Timed = min(many.Timed, again.Timed), max(last.Timed, before.Timed)
			if last.Operations == few.Operations {
				few.Timed = last.Timed
			}
		}
		if few.Wall > mostBeside/2 && tooLong(few, many) { // once more, so that no single slow start decides
			again, err := run(many.Operations)
			if err != nil {
				return few, many, false, err
			}
			many.Wall = min(many.Wall, again.Wall)
		}
		switch {
		case many.Timed >= surely*last.Timed && many.Timed >= sureTime:
			return few, many, false, nil
		case tooLong(few, many):
			return few, many, !grew(few, many), nil
		case many.Operations >= enough && many.Timed >= longTrial && many.Timed < few.Timed+few.Timed/5:
			return few, many, true, nil
		case many.Operations > turns.MostOperations/moreOperations:
			return few, many, !grew(few, many), nil
		}
	}
}

// tooLong says that a process takes too long for more operations to be tried, although little of it is timed.
func tooLong(few, many benchmarks.Trial) bool {
	return many.Wall > few.Wall+max(mostBeside, few.Wall) && many.Timed < mostBeside
}

// mostlyUntimed says that a process got longer by far more than what was timed of it. A single long
// sleep then looks like growth.
func mostlyUntimed(few, many benchmarks.Trial) bool {
	more := many.Wall - few.Wall
	return more > longTrial && more > 10*many.Timed
}

// grew says whether time grew with the number of operations: by more than the square root of how
// often as many there were, which is halfway between not at all and as often.
func grew(few, many benchmarks.Trial) bool {
	times := float64(many.Operations) / float64(few.Operations)
	return float64(many.Timed) >= math.Sqrt(times)*float64(few.Timed)
}

// loops says whether the time of a benchmark grows with the number of operations, and notes
// it if not. An unchanged benchmark is tried on B only; one execution (--benchtime 1x) needs no
// loop, and a benchmark that hides its time is not judged.
func (m *measurement) loops(ctx context.Context, p *pkg, procs int, once [2]*benchfmt.Result) (bool, error) {
	b := &bench{pkg: p, name: string(once[1].Name), procs: procs}
	for side, r := range once {
		if m.task.Iterations == 1 || benchtext.Nanos(r) == 0 || side == 0 && len(b.changed()) == 0 {
			continue
		}
		few, many, ignores, err := ignoresN(time.Duration(benchtext.Nanos(r)),
			func(n int) (benchmarks.Trial, error) { return m.trial(ctx, b, side, n) })
		if err != nil {
			return false, err
		}
		if ignores {
			text, hint := untimedText(few, many)
			m.result.Untimed = append(m.result.Untimed,
				benchmarks.Untimed{Package: p.path, Name: b.name, Side: m.sides[side].Name, Text: text, Hint: hint,
					Few: few, Many: many})
			return false, nil
		}
	}
	return true, nil
}

// trial runs a benchmark with n operations in a process of its own.
func (m *measurement) trial(ctx context.Context, b *bench, side, n int) (benchmarks.Trial, error) {
	began := time.Now()
	r, _, err := m.measure(ctx, b, binaryOf{side: side}, strconv.Itoa(n)+"x")
	if err != nil {
		return benchmarks.Trial{}, err
	}
	return benchmarks.Trial{Operations: n, Timed: time.Duration(benchtext.Nanos(r) * float64(n)),
		Wall: time.Since(began)}, nil
}

// untimedText says what two trials show, with their figures, and what to do about it.
func untimedText(few, many benchmarks.Trial) (text, hint string) {
	text = fmt.Sprintf("%s operations took %s and %s operations %s: the time does not grow with the number of operations",
		units.Count(uint64(few.Operations)), units.Nanos(float64(few.Timed)), units.Count(uint64(many.Operations)),
		units.Nanos(float64(many.Timed)))
	if mostlyUntimed(few, many) {
		return text + fmt.Sprintf(", but the process took %s instead of %s: b.ResetTimer or b.StopTimer in the loop throws "+
				"most of it away",
				units.Seconds(many.Wall), units.Seconds(few.Wall)),
			"call b.ResetTimer once, in front of the loop, or write the loop with b.Loop"
	}
	return text + ": the loop ignores b.N",
		"repeat the work b.N times (for b.Loop() { ... }), or compare one execution: --benchtime 1x"
}
