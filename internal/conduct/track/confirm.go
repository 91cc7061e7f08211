package track

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/gohone/hone/internal/conduct/gobench/benchtext"
	"github.com/gohone/hone/internal/store/commitsearch"
	"github.com/gohone/hone/internal/store/series"
	"github.com/gohone/hone/internal/store/series/chains"
	"github.com/gohone/hone/internal/sys/git"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/units"
)

// MostConfirmed is how many benchmarks with steps a job measures again. A commit that makes hundreds slower would take
// hours: the largest steps come first, and the next job does the rest.
const MostConfirmed = 5

// Search measures the two ends of steps once more, and, where there are commits between them, searches for the one that
// made the first step. measured hears of the ends before the search begins. An error of kind fail.Subject or
// fail.BadInput says that the ends cannot be measured.
type Search func(ctx context.Context, e Ends, measured func(*Compared) error) (*commitsearch.Result, error)

// Ends are the two commits of steps, and the steps that have these ends, the largest first.
type Ends struct {
	After, Commit series.Commit
	Steps         []chains.Step
}

// Names are those of the benchmarks, the one with the largest step first.
func (e Ends) Names() (names []string) {
	for _, s := range e.Steps {
		if !slices.Contains(names, s.Name) {
			names = append(names, s.Name)
		}
	}
	return names
}

// Packages are those of the benchmarks.
func (e Ends) Packages() (packages []string) {
	for _, name := range e.Names() {
		if pkg, _ := series.SplitName(name); !slices.Contains(packages, pkg) {
			packages = append(packages, pkg)
		}
	}
	return packages
}

// Pattern matches the benchmarks: one exactly, several with the others of their functions.
func (e Ends) Pattern() string {
	var functions []string
	names := e.Names()
	for _, name := range names {
		_, benchmark := series.SplitName(name)
		if len(names) == 1 {
			return benchtext.Exactly(benchmark)
		}
		function, _, _ := strings.Cut(benchmark, "/")
		if f := regexp.QuoteMeta("Benchmark" + function); !slices.Contains(functions, f) {
			functions = append(functions, f)
		}
	}
	return "^(" + strings.Join(functions, "|") + ")$"
}

// confirm measures the ends of steps again that no third measurement has confirmed, and searches for the commits that
// made them. Each answer is stored at once, so that a job that is cut loses none, and the next one goes on.
func (t Task) confirm(ctx context.Context, out *series.Outcome) error {
	if t.Search == nil || t.Confirm <= 0 {
		return nil
	}
	content, err := t.Store.Read(ctx)
	if err != nil {
		return err
	}
	open, err := t.open(ctx, content, out.Tracked.Hash)
	if err != nil || len(open) == 0 {
		return err
	}
	inTime, cancel := context.WithTimeout(ctx, t.Confirm)
	defer cancel()
	left := len(open)
	for _, e := range endsOf(open) {
		if inTime.Err() != nil {
			break
		}
		done, err := t.again(ctx, inTime, out, e)
		left -= done
		if err != nil {
			return err
		}
	}
	if left > 0 {
		out.Notes = append(out.Notes, fmt.Sprintf("%s left to be measured again: the next job does it",
			units.Plural(left, "step")+map[bool]string{true: " is", false: " are"}[left == 1]))
	}
	return nil
}

// open are the steps of the series that are to be measured again, the largest first.
func (t Task) open(ctx context.Context, c series.Content, head string) (open []chains.Step, err error) {
	gone, err := Gone(ctx, t.Dir, c.Points)
	if err != nil {
		return nil, err
	}
	h, err := chains.HistoryOf(t.Store.String(), c, chains.Query{Branch: t.Branch}, chains.Options{Gone: gone},
		chains.StepOptions{Accepted: t.Accepted, Now: time.Now()})
	if err != nil {
		return nil, err
	}
	here := map[string]bool{} // commits that the clone has
	known := func(hash string) bool {
		is, asked := here[hash]
		if !asked {
			is = contains(ctx, t.Dir, head, hash)
			here[hash] = is
		}
		return is
	}
	for _, l := range h.Lines {
		for _, s := range l.Steps {
			if l.Subject != t.Subject || !l.Paired() || s.State != chains.New && s.State != chains.Confirmed {
				continue
			}
			settled := (s.Tried || s.Exact()) && (s.Between == 0 || s.Searched)
			if !settled && known(s.Commit.Hash) && known(s.After.Hash) {
				open = append(open, s)
			}
		}
	}
	slices.SortStableFunc(open, func(a, b chains.Step) int { return cmp.Compare(size(b), size(a)) })
	return open, ctx.Err()
}

func size(s chains.Step) float64 { return math.Abs(math.Log(s.Ratio)) }

// endsOf are the ends of the steps of the first few benchmarks.
func endsOf(open []chains.Step) (all []Ends) {
	at := map[[2]string]int{}
	benchmarks := map[[3]string]bool{}
	for _, s := range open {
		of := [2]string{s.After.Hash, s.Commit.Hash}
		name := [3]string{of[0], of[1], s.Name}
		if !benchmarks[name] && len(benchmarks) == MostConfirmed {
			continue
		}
		benchmarks[name] = true
		if _, known := at[of]; !known {
			at[of] = len(all)
			all = append(all, Ends{After: s.After, Commit: s.Commit})
		}
		all[at[of]].Steps = append(all[at[of]].Steps, s)
	}
	return all
}

// again measures two ends again and searches between them, in the time that is left. done is how many steps are settled.
func (t Task) again(ctx, inTime context.Context, out *series.Outcome, e Ends) (done int, err error) {
	there := false
	result, err := t.Search(inTime, e, func(c *Compared) error {
		if there {
			return nil
		}
		there = true
		p := t.pointOf(e, valuesAgain(c, e.Steps))
		p.Machine = c.Machine
		id := c.ID
		if e.Steps[0].Report != "" { // one page of a step is enough
			id = ""
		}
		return t.append(ctx, out, p, id)
	})
	kind := fail.KindOf(err)
	switch {
	case ctx.Err() != nil:
		return 0, err
	case inTime.Err() != nil && !there:
		return 0, nil
	case inTime.Err() != nil:
		out.Notes = append(out.Notes, fmt.Sprintf("the search between %.12s and %.12s was stopped after %s: "+
			"hone bisect %.12s %.12s goes further", e.After.Hash, e.Commit.Hash, t.Confirm, e.After.Hash, e.Commit.Hash))
	case err != nil && (kind == fail.Subject || kind == fail.BadInput):
		out.Notes = append(out.Notes, fmt.Sprintf("%.12s and %.12s cannot be measured again: %v", e.After.Hash,
			e.Commit.Hash, err))
	case err != nil:
		return 0, err
	}
	if !there {
		if err := t.append(ctx, out, t.pointOf(e, valuesAgain(nil, e.Steps)), ""); err != nil {
			return 0, err
		}
	}
	searched := e.Names() // where nothing can be measured, no search helps
	if there {
		searched, err = t.answer(ctx, inTime, out, e, result)
	} else {
		err = t.store(ctx, out, e, nil, searched)
	}
	if err != nil {
		return 0, err
	}
	for _, s := range e.Steps {
		if s.Between == 0 || slices.Contains(searched, s.Name) {
			done++
		}
	}
	return done, nil
}

// answer stores what a search found, for the benchmark that it followed, and for those others that the commit that it found
// changed, too. The names are those of benchmarks that need no further search.
func (t Task) answer(ctx, inTime context.Context, out *series.Outcome, e Ends,
	result *commitsearch.Result) (names []string, err error) {
	all := e.Names()
	found := foundBy(result)
	if found == nil {
		return all[:1], t.store(ctx, out, e, nil, all[:1])
	}
	names = all[:1]
	commit, before := series.CommitOf(found.Commits[0]), series.CommitOf(found.Before)
	if rest := (Ends{After: before, Commit: commit, Steps: withoutName(e.Steps, all[0])}); len(rest.Steps) > 0 {
		var values []series.Value
		_, err := t.Search(inTime, rest, func(c *Compared) error {
			values = valuesAgain(c, rest.Steps)
			return nil
		})
		if ctx.Err() != nil {
			return nil, err
		}
		for _, s := range rest.Steps {
			if !slices.Contains(names, s.Name) && slices.ContainsFunc(values, func(v series.Value) bool { return shows(v, s) }) {
				names = append(names, s.Name)
			}
		}
	}
	return names, t.store(ctx, out, e, &commit, names)
}

// foundBy is the step that a search has found and confirmed, if it is of one commit.
func foundBy(r *commitsearch.Result) *commitsearch.Step {
	if r == nil || r.Stopped != commitsearch.Found {
		return nil
	}
	i := slices.IndexFunc(r.Steps, func(s commitsearch.Step) bool { return s.Confirmed() && len(s.Commits) == 1 })
	if i < 0 {
		return nil
	}
	return &r.Steps[i]
}

// shows says that a value is of the step's measure, and differs in the same direction.
func shows(v series.Value, s chains.Step) bool {
	return v.Name == s.Name && v.Measure == s.Measure && v.State == series.Measured &&
		(s.Ratio > 1 && v.Low > 1 || s.Ratio < 1 && v.High < 1)
}

func withoutName(steps []chains.Step, name string) (rest []chains.Step) {
	for _, s := range steps {
		if s.Name != name {
			rest = append(rest, s)
		}
	}
	return rest
}

// store adds the answer of a search for the steps of some benchmarks.
func (t Task) store(ctx context.Context, out *series.Outcome, e Ends, found *series.Commit, names []string) error {
	var values []series.Value
	for _, s := range e.Steps {
		if s.Between > 0 && slices.Contains(names, s.Name) {
			values = append(values, series.Value{Name: s.Name, Measure: s.Measure, Unit: s.Unit, State: series.Searched})
		}
	}
	if len(values) == 0 {
		return nil
	}
	p := t.pointOf(e, values)
	p.Found = found
	return t.append(ctx, out, p, "")
}

// pointOf is a point that says more of two ends.
func (t Task) pointOf(e Ends, values []series.Value) series.Point {
	after := e.After
	return series.Point{At: time.Now().UTC().Truncate(time.Second), Branch: t.Branch,
		Subject: t.Subject, Commit: e.Commit, Base: &after, Again: true, Values: values}
}

// valuesAgain are the values of the steps' measures in a comparison of their ends: those that it does not have failed.
func valuesAgain(c *Compared, steps []chains.Step) (all []series.Value) {
	known := map[string][]series.Value{}
	for _, s := range steps {
		known[s.Name] = append(known[s.Name], series.Value{Name: s.Name, Measure: s.Measure, Unit: s.Unit})
	}
	var measured []series.Value
	if c != nil {
		measured = c.valuesIn(known)
	}
	for _, s := range steps {
		v := series.Value{Name: s.Name, Measure: s.Measure, Unit: s.Unit, State: series.Failed}
		for _, m := range measured {
			if m.Name == s.Name && m.Measure == s.Measure && (m.State == series.Measured || m.State == series.Unchanged) {
				v = m
			}
		}
		all = append(all, v)
	}
	return all
}

// commitsSince counts the commits after one up to another; 0 where that is not known.
func commitsSince(ctx context.Context, dir string, base *series.Commit, hash string) int {
	if base == nil {
		return 0
	}
	commits, err := git.History(ctx, dir, base.Hash, hash)
	if err != nil {
		return 0
	}
	return len(commits)
}
