package track

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/internal/store/benchmarks"
	"github.com/gohone/hone/internal/store/commitsearch"
	"github.com/gohone/hone/internal/store/series"
	"github.com/gohone/hone/internal/store/series/chains"
	"github.com/gohone/hone/internal/sys/git"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/judge"
)

// hears is who hears of the comparison of two ends.
type hears = func(*Compared) error

// slower is a comparison whose verdict was confirmed by two stages.
func slower(ratio float64) *benchmarks.Result {
	return compared(ratio, func(r *benchmarks.Result) {
		for i := range r.Benchmarks {
			v := &r.Benchmarks[i].Verdicts[0]
			v.Word, v.First = judge.Slower, &judge.FirstStage{}
		}
	})
}

// confirming is a task whose comparisons say ratio, and that searches so.
func (r repository) confirming(ctx context.Context, store series.Store, ratio float64,
	search Search) (*series.Outcome, error) {
	return Run(ctx, Task{Dir: r.dir, Branch: "main", Subject: series.Benchmarks, Store: store, Search: search,
		Confirm: time.Hour,
		Compare: func(context.Context, string) (*Compared, error) { return OfBenchmarks(slower(ratio)), nil }})
}

// found is the answer of a search: a commit of the repository.
func (r repository) found(hash string) *commitsearch.Result {
	c, err := git.Describe(r.Context(), r.dir, hash)
	if err != nil {
		r.Fatal(err)
	}
	before, err := git.Describe(r.Context(), r.dir, hash+"~1")
	if err != nil {
		r.Fatal(err)
	}
	v := judge.Verdict{Measure: measure.OperationTime, Word: judge.Slower, Ratio: 1.2}
	return &commitsearch.Result{Stopped: commitsearch.Found, Steps: []commitsearch.Step{{Commits: []git.Commit{c},
		Before: before, Verdict: &v}}}
}

// again are the points that say more of steps, each in a line.
func again(points []series.Point) (all []string) {
	for _, p := range points {
		if !p.Again {
			continue
		}
		for _, v := range p.Values {
			text := v.Name + " " + string(v.State)
			if p.Found != nil {
				text += " " + p.Found.Subject
			}
			all = append(all, text)
		}
	}
	return all
}

func steps(t *testing.T, store *memory) (all []chains.Step) {
	t.Helper()
	h, err := chains.HistoryOf("memory", series.Content{Points: store.points}, chains.Query{}, chains.Options{},
		chains.StepOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range h.Lines {
		all = append(all, l.Steps...)
	}
	return all
}

// A new step is measured again, and the commits between its ends are searched. The commit that is found is compared with
// the one before for the other benchmarks of the step.
func TestAStepIsConfirmed(t *testing.T) {
	r, store := newRepository(t), &memory{}
	r.commit("one")
	r.track(store, 1)
	r.commit("two")
	guilty := r.commit("three")
	r.commit("four")
	var asked []string
	search := func(_ context.Context, e Ends, measured hears) (*commitsearch.Result, error) {
		asked = append(asked, fmt.Sprintf("%s..%s %s", e.After.Subject, e.Commit.Subject, strings.Join(e.Names(), " ")))
		return r.found(guilty), measured(OfBenchmarks(slower(1.2)))
	}
	if _, err := r.confirming(t.Context(), store, 1.2, search); err != nil {
		t.Fatal(err)
	}
	if want := []string{"one..four example.com/p.Parse/large example.com/p.Parse/small",
		"two..three example.com/p.Parse/small"}; !slices.Equal(asked, want) {
		t.Errorf("searched %q, want %q", asked, want)
	}
	if got, want := again(store.points), []string{"example.com/p.Parse/large measured", "example.com/p.Parse/small measured",
		"example.com/p.Parse/large searched three", "example.com/p.Parse/small searched three"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	for _, s := range steps(t, store) {
		if !s.Confirmed || s.Again == nil || s.Made().Hash != guilty || s.Between != 2 {
			t.Errorf("%+v", s)
		}
	}
	asked = nil
	r.commit("five")
	if _, err := r.confirming(t.Context(), store, 1, search); err != nil || asked != nil {
		t.Errorf("%v; the next job searches %q again", err, asked)
	}
	if p := store.points[len(store.points)-1]; p.Base.Subject != "four" {
		t.Errorf("the chain goes on from %q", p.Base.Subject)
	}
}

// A job that is cut after the measurement leaves the search to the next one, and loses nothing.
func TestAJobThatIsCut(t *testing.T) {
	r, store := newRepository(t), &memory{}
	r.commit("one")
	r.track(store, 1)
	guilty := r.commit("two")
	r.commit("three")
	ctx, cut := context.WithCancel(t.Context())
	_, err := r.confirming(ctx, store, 1.2, func(_ context.Context, _ Ends, measured hears) (*commitsearch.Result, error) {
		err := measured(OfBenchmarks(slower(1.2)))
		cut()
		return nil, errors.Join(err, fail.New(fail.Interrupted, "interrupted"))
	})
	if fail.KindOf(err) != fail.Interrupted || len(again(store.points)) != 2 {
		t.Fatalf("%v, %q", err, again(store.points))
	}
	out, err := r.confirming(t.Context(), store, 1.2, func(_ context.Context, e Ends, measured hears) (*commitsearch.Result, error) {
		return r.found(guilty), measured(OfBenchmarks(slower(1.2)))
	})
	if err != nil || len(out.Points) == 0 {
		t.Fatalf("%v, %+v", err, out)
	}
	for _, s := range steps(t, store) {
		if s.Made().Hash != guilty {
			t.Errorf("%+v", s)
		}
	}
}

// What cannot be measured again is tried once, and what is refuted is no step any more.
func TestWhatIsNotConfirmed(t *testing.T) {
	r, store := newRepository(t), &memory{}
	r.commit("one")
	r.track(store, 1)
	r.commit("two")
	tries := 0
	broken := func(context.Context, Ends, hears) (*commitsearch.Result, error) {
		tries++
		return nil, fail.New(fail.Subject, "it does not build")
	}
	out, err := r.confirming(t.Context(), store, 1.05, broken)
	if err != nil || tries != 1 || !strings.Contains(strings.Join(out.Notes, "\n"), "does not build") {
		t.Errorf("%v, %d tries, %+v", err, tries, out)
	}
	if _, err := r.confirming(t.Context(), store, 1.05, broken); err != nil || tries != 1 {
		t.Errorf("%v, %d tries", err, tries)
	}
	if all := steps(t, store); len(all) != 2 || all[0].Confirmed != true {
		t.Errorf("%+v", all)
	}
	r.commit("three")
	_, err = r.confirming(t.Context(), store, 1.05, func(_ context.Context, _ Ends, measured hears) (*commitsearch.Result, error) {
		return &commitsearch.Result{Stopped: commitsearch.Nothing}, measured(OfBenchmarks(compared(1)))
	})
	if all := steps(t, store); err != nil || slices.ContainsFunc(all, func(s chains.Step) bool {
		return s.Commit.Subject == "three" && s.Confirmed
	}) {
		t.Errorf("%v, %+v", err, all)
	}
}

// A job measures the largest steps again, and says what is left.
func TestTheLargestStepsComeFirst(t *testing.T) {
	r, store := newRepository(t), &memory{}
	r.commit("one")
	r.track(store, 1)
	r.commit("two")
	many := compared(1.2)
	many.Benchmarks = nil
	for i := range MostConfirmed + 2 {
		b := slower(1 + float64(i+10)/100).Benchmarks[0]
		b.Name = fmt.Sprintf("Work%d-8", i)
		many.Benchmarks = append(many.Benchmarks, b)
	}
	task := Task{Dir: r.dir, Branch: "main", Subject: series.Benchmarks, Store: store, Confirm: time.Hour,
		Compare: func(context.Context, string) (*Compared, error) { return OfBenchmarks(many), nil },
		Search: func(_ context.Context, e Ends, measured hears) (*commitsearch.Result, error) {
			if len(e.Names()) == MostConfirmed && (e.Names()[0] != "example.com/p.Work6" || e.Pattern() !=
				"^(BenchmarkWork6|BenchmarkWork5|BenchmarkWork4|BenchmarkWork3|BenchmarkWork2)$") {
				t.Errorf("%q %s", e.Names(), e.Pattern())
			}
			return nil, measured(OfBenchmarks(many))
		}}
	for _, want := range []string{"2 steps are left to be measured again: the next job does it", ""} {
		out, err := Run(t.Context(), task)
		if err != nil || want != "" && !slices.Contains(out.Notes, want) ||
			want == "" && len(out.Notes) != 1 {
			t.Errorf("%v, %q, want %q", err, out.Notes, want)
		}
	}
	if n := len(again(store.points)); n != MostConfirmed+2 {
		t.Errorf("%d measured again", n)
	}
}
