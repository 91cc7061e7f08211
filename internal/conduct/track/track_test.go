package track

import (
	"context"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gohone/hone/internal/judge/answers"
	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/internal/store/benchmarks"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/store/series"
	"github.com/gohone/hone/judge"
)

var inf = math.Inf(1)

// memory is a store for tests.
type memory struct{ points []series.Point }

func (m *memory) Append(_ context.Context, points []series.Point, _ map[string][]byte) error {
	m.points = append(m.points, points...)
	return nil
}
func (m *memory) Read(context.Context) (series.Content, error) {
	return series.Content{Points: m.points}, nil
}
func (m *memory) Report(context.Context, string) ([]byte, error) { return nil, os.ErrNotExist }
func (m *memory) String() string                                 { return "memory" }

// repository is a git repository in a temporary directory.
type repository struct {
	*testing.T
	dir string
}

func newRepository(t *testing.T) repository {
	r := repository{t, t.TempDir()}
	r.git("init", "-q", "-b", "main")
	return r
}

func (r repository) git(args ...string) string {
	r.Helper()
	cmd := exec.Command("git", append([]string{"-C", r.dir, "-c", "user.name=Ada", "-c", "user.email=a@example.com"}, args...)...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		r.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

func (r repository) commit(text string) (hash string) {
	r.Helper()
	if err := os.WriteFile(filepath.Join(r.dir, "file.txt"), []byte(text), 0o600); err != nil {
		r.Fatal(err)
	}
	r.git("add", ".")
	r.git("commit", "-q", "-m", text)
	return r.git("rev-parse", "HEAD")
}

// track tracks what is checked out, with a comparison that says ratio of each benchmark.
func (r repository) track(store series.Store, ratio float64, more ...func(*benchmarks.Result)) *series.Outcome {
	r.Helper()
	out, err := Run(r.Context(), Task{Dir: r.dir, Branch: "main", Subject: series.Benchmarks, Store: store,
		Compare: func(context.Context, string) (*Compared, error) {
			return OfBenchmarks(compared(ratio, more...)), nil
		}})
	if err != nil {
		r.Fatal(err)
	}
	return out
}

func compared(ratio float64, more ...func(*benchmarks.Result)) *benchmarks.Result {
	v := judge.Verdict{Measure: measure.OperationTime, Word: judge.NoChange, Ratio: ratio, Low: ratio * 0.98,
		High: ratio * 1.02, Conf: 0.95, B: 100}
	result := &benchmarks.Result{Benchmarks: []benchmarks.Benchmark{
		{Package: "example.com/p", Name: "Parse/small-8", Verdicts: []judge.Verdict{v}},
		{Package: "example.com/p", Name: "Parse/large-8", Verdicts: []judge.Verdict{v}},
	}}
	for _, m := range more {
		m(result)
	}
	return result
}

func states(p series.Point) (all []string) {
	for v := range p.All() {
		all = append(all, v.Name+" "+v.Measure+" "+string(v.State))
	}
	return all
}

// The first commit begins the series, the next ones are held against the one before, the eleventh also against the first.
func TestASeriesIsAChain(t *testing.T) {
	r, store := newRepository(t), &memory{}
	var commits []string
	for i := range 11 {
		commits = append(commits, r.commit(strings.Repeat("x", i+1)))
		if out := r.track(store, 1.01); len(out.Faults)+len(out.Notes) != 0 {
			t.Fatalf("commit %d: %+v", i, out)
		}
	}
	if len(store.points) != 12 || store.points[0].Base != nil || len(store.points[0].Values) != 0 {
		t.Fatalf("%d points, first %+v", len(store.points), store.points[0])
	}
	for i := 1; i < 11; i++ {
		if p := store.points[i]; p.Commit.Hash != commits[i] || p.Base.Hash != commits[i-1] || p.Anchor {
			t.Errorf("point %d: %+v", i, p)
		}
	}
	if p := store.points[11]; !p.Anchor || p.Base.Hash != commits[0] || p.Commit.Hash != commits[10] {
		t.Errorf("anchor: %+v", p)
	}
	if got := states(store.points[1]); !slices.Equal(got, []string{"example.com/p.Parse/large time measured",
		"example.com/p.Parse/small time measured"}) {
		t.Errorf("values: %q", got)
	}
	if out := r.track(store, 1); len(out.Points) != 0 || len(out.Notes) != 1 {
		t.Errorf("the same commit again: %+v", out)
	}
}

// What executes nothing that changed has the value of the base, by all names and measures that the chain knows; what
// itself changed begins anew, and what is gone is said to be removed.
func TestWhatIsNotMeasured(t *testing.T) {
	r, store := newRepository(t), &memory{}
	r.commit("one")
	r.track(store, 1)
	r.commit("two")
	r.track(store, 1)
	r.commit("three")
	out := r.track(store, 1, func(b *benchmarks.Result) {
		b.Benchmarks = nil
		b.Unchanged = []benchmarks.Unchanged{{Package: "example.com/p", Name: "Parse"}}
	})
	if got := states(out.Points[0]); !slices.Equal(got, []string{"example.com/p.Parse/large time unchanged",
		"example.com/p.Parse/small time unchanged"}) {
		t.Errorf("values: %q", got)
	}
	r.commit("four")
	out = r.track(store, 1, func(b *benchmarks.Result) {
		b.Benchmarks[0].Changed = []string{"its function"}
		b.Benchmarks = b.Benchmarks[:1]
		b.OneSided = []benchmarks.OneSided{{Package: "example.com/p", Name: "Parse/large-8", Side: "A"}}
	})
	if got := states(out.Points[0]); !slices.Equal(got, []string{"example.com/p.Parse/large time removed",
		"example.com/p.Parse/small time begins"}) {
		t.Errorf("values: %q", got)
	}
}

// A force push takes tracked commits away: the series goes on from the newest one that is left, and says so. Where none
// is left, it begins anew.
func TestForcePush(t *testing.T) {
	r, store := newRepository(t), &memory{}
	first := r.commit("one")
	r.track(store, 1)
	r.commit("two")
	r.track(store, 1)
	r.git("reset", "-q", "--hard", first)
	r.commit("other two")
	out := r.track(store, 1)
	if p := out.Points[0]; p.Base == nil || p.Base.Hash != first || len(out.Notes) != 1 ||
		!strings.Contains(out.Notes[0], "does not contain") {
		t.Errorf("%+v", out)
	}
	r.git("checkout", "-q", "--orphan", "fresh")
	r.commit("unrelated")
	if out = r.track(store, 1); out.Points[0].Base != nil || !strings.Contains(out.Notes[0], "begins anew") {
		t.Errorf("%+v", out)
	}
}

func TestChangesThatAreNotCommitted(t *testing.T) {
	r := newRepository(t)
	r.commit("one")
	if err := os.WriteFile(filepath.Join(r.dir, "file.txt"), []byte("edited"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := Run(t.Context(), Task{Dir: r.dir, Branch: "main", Subject: series.Benchmarks, Store: &memory{}})
	if err == nil || !strings.Contains(err.Error(), "not committed") {
		t.Errorf("%v", err)
	}
}

// A shallow clone in which no tracked commit is known does not begin the series anew.
func TestShallowClone(t *testing.T) {
	r, store := newRepository(t), &memory{}
	r.commit("one")
	r.track(store, 1)
	r.commit("two")
	shallow := repository{t, filepath.Join(t.TempDir(), "shallow")}
	r.git("clone", "-q", "--depth", "1", "file://"+r.dir, shallow.dir)
	_, err := Run(t.Context(), Task{Dir: shallow.dir, Branch: "main", Subject: series.Benchmarks, Store: store})
	if err == nil || !strings.Contains(err.Error(), "shallow clone") {
		t.Errorf("%v", err)
	}
}

// Counts that were 0 have no ratio: the chain begins anew with a verdict. Nothing that JSON cannot write is kept.
func TestRatiosThatAreNoNumbers(t *testing.T) {
	infinite := judge.Verdict{Measure: measure.OperationAllocs, Word: judge.Slower, Ratio: inf, Low: inf, High: inf, B: 3}
	if v := valueOf("p.Parse", infinite, false); v.State != series.Begins || v.Verdict != "slower" || v.Ratio != 0 {
		t.Errorf("%+v", v)
	}
	few := judge.Verdict{Measure: measure.OperationTime, Word: judge.Undecided, Ratio: 1.1, High: inf}
	if v := valueOf("p.Parse", few, false); v.State != series.Unknown || v.High != 0 {
		t.Errorf("%+v", v)
	}
}

// Commits that a force push took away are gone; those that a clone has not fetched yet are not, and none is where the
// branch is not known.
func TestCommitsThatAForcePushTookAway(t *testing.T) {
	r, store := newRepository(t), &memory{}
	commit := func(text string, day string) string {
		t.Setenv("GIT_AUTHOR_DATE", day+"T12:00:00Z")
		t.Setenv("GIT_COMMITTER_DATE", day+"T12:00:00Z")
		hash := r.commit(text)
		r.track(store, 1)
		return hash
	}
	first := commit("one", "2026-11-01")
	dropped := commit("two", "2026-11-02")
	r.git("reset", "-q", "--hard", first)
	kept := commit("other two", "2026-11-03")
	old := repository{t, filepath.Join(t.TempDir(), "old")}
	r.git("clone", "-q", "file://"+r.dir, old.dir)
	newest := commit("three", "2026-11-04")
	for _, at := range []repository{r, old} {
		gone, err := Gone(t.Context(), at.dir, store.points)
		if err != nil {
			t.Fatal(err)
		}
		for hash, want := range map[string]bool{first: false, dropped: true, kept: false, newest: false} {
			if got := gone("main", hash); got != want || gone("other", hash) {
				t.Errorf("%s: %.7s gone %v, want %v", filepath.Base(at.dir), hash, got, want)
			}
		}
	}
	shallow := repository{t, filepath.Join(t.TempDir(), "shallow")}
	r.git("clone", "-q", "--depth", "1", "file://"+r.dir, shallow.dir)
	for _, dir := range []string{shallow.dir, t.TempDir()} {
		if gone, err := Gone(t.Context(), dir, store.points); err != nil || gone("main", dropped) {
			t.Errorf("%s: %v", dir, err)
		}
	}
}

// service tracks what is checked out as a service, with a comparison that says ratio of its CPU time.
func (r repository) service(store series.Store, compare func(base string) *Compared) *series.Outcome {
	r.Helper()
	out, err := Run(r.Context(), Task{Dir: r.dir, Branch: "main", Subject: "example.com/app/cmd/server", Store: store,
		Compare: func(_ context.Context, base string) (*Compared, error) { return compare(base), nil }})
	if err != nil {
		r.Fatal(err)
	}
	return out
}

// outcome is a comparison of a service, by its only contest.
func outcome(c record.Contest) *record.Outcome {
	return &record.Outcome{Runs: make([]record.Run, 2), Comparison: &record.Comparison{ID: "1", Contests: []record.Contest{c}}}
}

// A service has one chain for each measure, without a name of its own. What executes nothing that changed keeps its
// values; a measure without an interval is not known, and one whose base was 0 begins anew.
func TestASeriesOfAService(t *testing.T) {
	r, store := newRepository(t), &memory{}
	verdict := func(m judge.Measure, ratio float64) judge.Verdict {
		return judge.Verdict{Measure: m, Word: judge.Slower, Ratio: ratio, Low: ratio * 0.98, High: ratio * 1.02, Conf: 0.95}
	}
	few := verdict(measure.Throughput, 1)
	few.High = inf
	measured := outcome(record.Contest{B: 1, Answers: &answers.Agreement{Compared: 1},
		Verdicts: []judge.Verdict{verdict(measure.CPU, 1.1), few, verdict(measure.Allocs, inf)}})
	same := outcome(record.Contest{B: 1, Unreached: true, Verdicts: []judge.Verdict{verdict(measure.CPU, 3)}})
	r.commit("one")
	r.service(store, nil)
	for _, is := range []struct {
		commit string
		found  *record.Outcome
		want   []string
	}{
		{"two", same, nil}, // no measure is known yet
		{"three", measured, []string{" allocs begins", " cpu measured", " rate unknown"}},
		{"four", same, []string{" allocs unchanged", " cpu unchanged", " rate unchanged"}},
	} {
		r.commit(is.commit)
		out := r.service(store, func(string) *Compared { return OfService(is.found) })
		if got := states(out.Points[0]); !slices.Equal(got, is.want) || out.Points[0].Base == nil {
			t.Errorf("%s: %q, want %q", is.commit, got, is.want)
		}
		if is.found == measured != (len(out.Notes) == 1) {
			t.Errorf("%s: notes %q", is.commit, out.Notes)
		}
	}
}

// A base that cannot be measured any more does not stop the series: it begins anew. Nor does an anchor.
func TestABaseThatCannotBeMeasured(t *testing.T) {
	r, store := newRepository(t), &memory{}
	first := r.commit("0")
	r.service(store, nil)
	for i := range 10 {
		r.commit(strings.Repeat("x", i+1))
		out := r.service(store, func(base string) *Compared {
			if base == first && i > 0 {
				return &Compared{NoBase: "build variant A"}
			}
			return OfService(outcome(record.Contest{B: 1, Unreached: true}))
		})
		if i == 9 && (len(out.Points) != 2 || !out.Points[1].Anchor || len(out.Points[1].Values) != 0 || len(out.Notes) != 1) {
			t.Errorf("the anchor: %+v", out)
		}
	}
	r.commit("last")
	out := r.service(store, func(string) *Compared { return &Compared{NoBase: "build variant A"} })
	if len(out.Points) != 1 || out.Points[0].Base != nil || !strings.Contains(out.Notes[0], "begins anew: build variant A") {
		t.Errorf("the base: %+v", out)
	}
}
