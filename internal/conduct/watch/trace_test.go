package watch

import (
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"github.com/gohone/hone/internal/text/vitals"
)

// gcLine is collection n, that many seconds after the start, of a program with 2 P.
func gcLine(n int, at float64) string {
	return fmt.Sprintf("gc %d @%.3fs 4%%: 0.010+1.0+0.020 ms clock, 0.020+0.40/0.60/0.30+0.040 ms cpu, 4->5->2 MB, 6 MB goal, 0 MB stacks, 0 MB globals, 2 P\n", n, at)
}

func TestTraceReadings(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		lines := &traceLines{}
		tr := newTrace(lines)
		if r, err := tr.read(t.Context()); err != nil || !r.Empty() {
			t.Errorf("before any line: %+v, %v", r, err)
		}
		time.Sleep(time.Second)
		fmt.Fprint(lines, "listening\n", gcLine(1, 1))
		r, err := tr.read(t.Context())
		if err != nil || r.GCCyclesPerSec.Known() || r.HeapGoalBytes != vitals.Of(6<<20) {
			t.Errorf("after the first: %+v, %v", r, err)
		}
		time.Sleep(2 * time.Second)
		fmt.Fprint(lines, gcLine(2, 2), gcLine(3, 3))
		r, err = tr.read(t.Context())
		if err != nil || r.GCCyclesPerSec != vitals.Of(1) || r.HeapLiveBytes != vitals.Of(2<<20) ||
			r.GCShareSinceStart != vitals.Of(0.04) {
			t.Errorf("after three: %+v, %v", r, err)
		}
		// Two collections of 0.02 + 0.4 + 0.6 + 0.04 ms, idle marking left out, in 2 s of 2 P.
		if x := must(t, "share", r.GCShareOfAvailable); math.Abs(x-2*1.06e-3/4) > 1e-9 {
			t.Errorf("share %v", x)
		}
		if x := must(t, "pause", r.GCPauseP99Seconds); math.Abs(x-30e-6) > 1e-12 {
			t.Errorf("pause %v s, want 30 us", x)
		}
		time.Sleep(time.Second)
		r, _ = tr.read(t.Context())
		if r.GCCyclesPerSec != vitals.Of(0) || r.HeapLiveBytes != vitals.Of(2<<20) {
			t.Errorf("sizes hold between collections: %+v", r)
		}
		time.Sleep(2 * time.Minute)
		r, _ = tr.read(t.Context())
		if r.GCPauseP99Seconds.Known() || r.GCShareOfAvailable != vitals.Of(0) {
			t.Errorf("two quiet minutes: %+v", r)
		}
		fmt.Fprint(lines, "gc 4 @1.0s 3%: 0.010+1.0+0.0request 17\n")
		if _, err := tr.read(t.Context()); err == nil || !strings.Contains(err.Error(), "1 line of gctrace is torn") {
			t.Errorf("a damaged line: %v", err)
		}
	})
}

// However the output is cut into writes, the same collections come out.
func TestLinesInPieces(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := gcLine(1, 1) + "request 17\n" + strings.Repeat("x", 5000) + gcLine(9, 9) + gcLine(2, 2) + "gc 7 @1\n" +
			gcLine(3, 3)
		lines := &traceLines{}
		for rest := text; rest != ""; {
			n := rapid.IntRange(1, min(len(rest), 3000)).Draw(t, "n")
			if got, err := lines.Write([]byte(rest[:n])); got != n || err != nil {
				t.Fatal(got, err)
			}
			rest = rest[n:]
		}
		cycles, damaged := lines.drain()
		if len(cycles) != 3 || cycles[2].Number != 3 || damaged != 1 {
			t.Fatalf("%d collections, %d damaged", len(cycles), damaged)
		}
	})
}

func TestOutputIsBounded(t *testing.T) {
	lines := &traceLines{}
	for range 100 {
		_, _ = lines.Write([]byte(strings.Repeat("y", 1<<16)))
	}
	if len(lines.rest) > longestLine {
		t.Errorf("%d bytes of a line are kept", len(lines.rest))
	}
	for range 3 * mostCycles {
		_, _ = lines.Write([]byte("\n" + gcLine(1, 1)))
	}
	if cycles, _ := lines.drain(); len(cycles) > mostCycles || lines.count() != 3*mostCycles {
		t.Errorf("%d collections wait, %d counted", len(cycles), lines.count())
	}
}

// Standard input: what comes is shown; its end is the end, and a good one.
func TestInputOfTrace(t *testing.T) {
	r, w := io.Pipe()
	a := &album{}
	wrote := false
	a.on = func(n int) {
		last := a.readings[len(a.readings)-1]
		switch {
		case !wrote:
			wrote = true
			go fmt.Fprint(w, "hello\n", gcLine(1, 1))
		case last.HeapGoalBytes.Known():
			w.Close()
		}
	}
	watch, err := New(Config{Target: Target{Word: "-", Trace: true}, Input: r, Interval: shortestInterval}, a)
	if err != nil {
		t.Fatal(err)
	}
	if err := watch.Run(t.Context()); err != nil {
		t.Error(err)
	}
	if last := a.last(); !strings.Contains(strings.Join(last.Notes, " "), "the input has ended after 1 collections") {
		t.Errorf("notes %q", last.Notes)
	}
}

func TestInputWithoutTrace(t *testing.T) {
	watch, err := New(Config{Target: Target{Word: "-", Trace: true}, Input: strings.NewReader("hello\n"),
		Interval: shortestInterval}, &album{})
	if err != nil {
		t.Fatal(err)
	}
	if err := watch.Run(t.Context()); code(err) != 2 || !errors.Is(err, errNoTrace) {
		t.Errorf("error %v", err)
	}
}
