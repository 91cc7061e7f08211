package gobench

import (
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gohone/hone/internal/judge/gate"
	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/internal/store/benchmarks"
	"github.com/gohone/hone/judge"
)

var update = flag.Bool("update", false, "write the golden files")

// simulated is what a simulated benchmark does: B takes factor times as long as A, and starts scatter.
type simulated struct {
	factor, between, within float64
	allocs                  int // 0: none, 1: the same, 2: one more on B, 3: they scatter
	rate                    bool
	layouts                 int
	failsAt, breaksAt       int // a round; 0 is never
	rng                     *rand.Rand
}

// block is one of its blocks, of three pairs.
func (s *simulated) block(layout int) judge.Block {
	block := judge.Block{Layout: layout}
	luck := s.between * s.rng.NormFloat64()
	for range 3 {
		d := luck + s.within*s.rng.NormFloat64()
		p := judge.Pair{A: judge.Sample{"time": 1000}, B: judge.Sample{"time": 1000 * s.factor * math.Exp(d)}}
		extra := 0.0
		switch s.allocs {
		case 2:
			extra = 1
		case 3:
			extra = float64(s.rng.IntN(3))
		}
		if s.allocs > 0 {
			p.A["allocs"], p.B["allocs"] = 3, 3+extra
		}
		if s.rate {
			p.A["MB/s"], p.B["MB/s"] = 50, 50/s.factor*math.Exp(s.within*s.rng.NormFloat64())
		}
		block.Pairs = append(block.Pairs, p)
	}
	return block
}

// simulate plays a measurement whose blocks take a second each to its end, or to where it is interrupted, and writes
// down what it decides.
func simulate(t *testing.T, seed uint64, full *strings.Builder) string {
	rng := rand.New(rand.NewPCG(56, seed))
	pick := func(of ...float64) float64 { return of[rng.IntN(len(of))] }
	task := Task{Progress: &watcher{}}
	budget := time.Duration(pick(8, 20, 60, 180)) * time.Second
	if rng.IntN(5) == 0 {
		task.Count, budget = int(pick(3, 8, 20)), 0
	}
	task.Budget, task.OneStage = budget, rng.IntN(7) == 0
	for _, text := range [][]string{nil, nil, nil, {"time<+5%"}, {"time<+2%", "allocs<=0"}, {"cpu<+5%", "time<=+1%"},
		{"time<-3%"}}[rng.IntN(7)] {
		g, err := gate.ParseOf(text, measure.OfBenchmarks)
		if err != nil {
			t.Fatal(err)
		}
		task.Gates = append(task.Gates, g)
	}
	n := 1 + rng.IntN(4)
	s := newSimulation(task, n, budget)
	var all []*simulated
	for range n {
		one := &simulated{factor: pick(1, 1, 1, 1.01, 1.03, 1.06, 1.3, 0.97, 0.9, 0.6), between: pick(0.001, 0.01, 0.05),
			within: pick(0.003, 0.02), allocs: rng.IntN(4), rate: rng.IntN(4) == 0, rng: rng}
		if rng.IntN(3) == 0 {
			one.layouts = 12
		}
		if rng.IntN(12) == 0 {
			one.failsAt = 1 + rng.IntN(12)
		}
		if rng.IntN(12) == 0 {
			one.breaksAt = 1 + rng.IntN(12)
		}
		all = append(all, one)
	}
	interrupted := math.MaxInt
	if rng.IntN(8) == 0 {
		interrupted = 1 + rng.IntN(20)
	}
	for round := 1; round < 400 && round < interrupted; round++ {
		began := time.Now()
		for _, i := range s.begin() {
			one := all[i]
			if one.failsAt == round {
				s.fails(i)
				continue
			}
			if one.breaksAt == round { // turns are given up
				s.restarts(i)
			}
			layout := 0
			if one.layouts > 0 {
				layout = 1 + round%one.layouts
			}
			units := []string{"ns/op"}
			if one.rate {
				units = append(units, "MB/s")
			}
			if one.allocs > 0 {
				units = append(units, "allocs/op")
			}
			s.add(i, one.block(layout), units)
			time.Sleep(time.Second)
		}
		if over, err := s.look(round, time.Since(began)); err != nil {
			t.Fatal(err)
		} else if over {
			break
		}
	}
	if err := s.m.conclude(); err != nil {
		t.Fatal(err)
	}
	s.m.leaveOutFailed()
	r := s.m.result
	text, err := json.MarshalIndent([]any{r.Benchmarks, r.Geomean}, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprintf(full, "%d: %q after %d rounds, %v, budget %v\n%s\n", seed, r.Stopped, r.Rounds, r.Elapsed, s.budget(),
		text)
	return fmt.Sprintf("%d: %s after %d rounds, %v\n%s", seed, r.Stopped, r.Rounds, r.Elapsed, inShort(r))
}

// inShort has the words, intervals and numbers of a result.
func inShort(r *benchmarks.Result) string {
	var text strings.Builder
	say := func(name string, rounds int, verdicts []judge.Verdict, gates []gate.Result) {
		fmt.Fprintf(&text, "  %s %d", name, rounds)
		for _, v := range verdicts {
			fmt.Fprintf(&text, " | %s %s %.3f %.3f-%.3f of %d at %.4f", v.Measure.Key, v.Word, v.Ratio, v.Low, v.High,
				v.Starts, v.Alpha)
			if v.First != nil {
				fmt.Fprintf(&text, ", first %s of %d", v.First.Word, v.First.Starts)
			}
		}
		for _, g := range gates {
			fmt.Fprintf(&text, " | %s %s", g.Gate.Text, g.Outcome)
		}
		text.WriteString("\n")
	}
	for _, b := range r.Benchmarks {
		say(b.Name, b.Rounds, b.Verdicts, b.Gates)
	}
	if len(r.Geomean) > 0 {
		say("geomean", r.Rounds, r.Geomean, nil)
	}
	return text.String()
}

// simulation is a measurement without processes.
type simulation struct {
	m *measurement
}

func newSimulation(task Task, n int, budget time.Duration) *simulation {
	m := &measurement{task: task, rng: rand.New(rand.NewPCG(1, 2)),
		result: &benchmarks.Result{Budget: budget, Started: time.Now()}}
	packages := []*pkg{{path: "p"}, {path: "q"}}
	for i := range n {
		m.benches = append(m.benches, &bench{name: fmt.Sprint("X", i), pkg: packages[i%2]})
	}
	m.referee = m.newReferee()
	return &simulation{m}
}

func (s *simulation) budget() time.Duration { return s.m.referee.Budget }

// begin are the benchmarks of a round.
func (s *simulation) begin() (todo []int) {
	for _, b := range s.m.benches {
		b.ready = b.Confirming()
	}
	for _, b := range s.m.todo() {
		var i int
		fmt.Sscanf(b.name, "X%d", &i)
		todo = append(todo, i)
	}
	return todo
}

func (s *simulation) fails(i int) { s.m.benches[i].Lose() }

func (s *simulation) restarts(i int) {
	s.m.benches[i].Restart()
}

func (s *simulation) add(i int, block judge.Block, units []string) {
	b := s.m.benches[i]
	b.Blocks = append(b.Blocks, block)
	b.noteUnits(units)
}

func (s *simulation) look(round int, took time.Duration) (over bool, err error) {
	if s.m.result.Rounds = round; !s.m.referee.Due(round, took) {
		return false, nil
	}
	return s.m.Look(took)
}

// What benchmarks are called, after how many blocks, and what their gates say, stays as it is.
func TestDecisionsOnSimulatedBenchmarks(t *testing.T) {
	var short, full strings.Builder
	from, to := uint64(6), uint64(24)
	if os.Getenv("HONE_DECISIONS") != "" { // all figures of more simulations, to compare two versions by
		from, to = 0, 200
	}
	for seed := from; seed < to; seed++ {
		synctest.Test(t, func(t *testing.T) {
			text := simulate(t, seed, &full)
			if seed >= 6 && seed < 24 {
				short.WriteString(text)
			}
		})
	}
	sameDecisions(t, "decisions.golden", short.String(), full.String())
}

// sameDecisions holds what was decided, in short, against a golden file, which -update writes. In full, with all
// figures, it goes to the file that HONE_DECISIONS names: to compare two versions by.
func sameDecisions(t *testing.T, golden, short, full string) {
	t.Helper()
	golden = filepath.Join("testdata", golden)
	for path, text := range map[string]string{os.Getenv("HONE_DECISIONS"): full, golden: short} {
		if path == "" || path == golden && !*update {
			continue
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if short != string(want) {
		t.Errorf("other decisions than in %s:\n%s", golden, firstDifference(short, string(want)))
	}
}

// firstDifference is the first line in which two texts differ, of both.
func firstDifference(got, want string) string {
	a, b := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return "got  " + a[i] + "\nwant " + b[i]
		}
	}
	return "one is longer"
}
