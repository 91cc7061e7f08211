package diff

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/google/pprof/profile"

	"github.com/gohone/hone/internal/text/units"
	"github.com/gohone/hone/prof"
	"github.com/gohone/hone/prof/internal/sampled"
	"github.com/gohone/hone/prof/symbol"
)

// Whole is what a better instrument than a profile knows of the cost of one request: the
// CPU clock over paired slices, or the runtime's count of allocations. A profile then only
// says how the cost divides.
type Whole struct {
	// A and B are the costs of a request in the unit of the sample type, not both 0.
	A, B float64
	// StdErr is the standard error of B.
	StdErr float64
}

// base is what changes are shares of: the cost of A, or of B if A costs nothing.
func (w Whole) base() float64 {
	if w.A > 0 {
		return w.A
	}
	return w.B
}

// WhyOptions say how to explain a change.
type WhyOptions struct {
	Code prof.Code
	// SampleType is what to compare; empty means the default of the kind.
	SampleType string
	// Alpha is the chance of any line where nothing changed; 0 means 5 %.
	Alpha float64
	// AllocatesToo says that a request allocates less where it takes less, or more where it takes more: what the
	// garbage collector takes then follows from what allocates, and is not the cause.
	AllocatesToo bool
	// BySite keeps what different functions do apart, also if it is the same, and asks for
	// nothing else.
	BySite bool
}

// Change is how the cost of one place changed per request from A to B.
type Change struct {
	// Site has the line that costs most on the dearer side, where the variants part: at the
	// frame nearest the leaf whose function only the dearer side has, if there is one.
	prof.Site
	// Path is File below the main module, or with the import path of its package.
	Path string `json:"path,omitempty"`
	// Calls says that the change is that of the function with all that it calls, but for
	// what larger changes have already.
	Calls bool `json:"calls,omitempty"`
	// Outside says that no line of the user's is on the stacks: the runtime or a library does it by itself.
	Outside bool `json:"outside,omitempty"`
	// Compiler has, as clauses, what the compiler decided otherwise in B that explains the change; Why leaves it empty.
	Compiler []string `json:"compiler,omitempty"`
	// A and B are the costs per request and Delta is B - A, in Unit, with their standard
	// error.
	A      float64 `json:"a"`
	B      float64 `json:"b"`
	Delta  float64 `json:"delta"`
	StdErr float64 `json:"std_err"`
	Unit   string  `json:"unit"`
	// Share is Delta relative to A's total, in percent (B's, if A's is 0), Low ... High its interval. Those of
	// all changes of an Explanation hold together with its confidence.
	Share float64 `json:"share_percent"`
	Low   float64 `json:"low_percent"`
	High  float64 `json:"high_percent"`
}

// String is the change and its place:
//
//	-71 % (-75 ... -67) framed/raw.go:41 framed.rawServe: Syscall under net.(*conn).Read
func (c Change) String() string {
	line := units.Percent(c.Share / 100)
	if c.Low != 0 || c.High != 0 {
		line += fmt.Sprintf(" (%s ... %s)", units.Signed(c.Low), units.Signed(c.High))
	}
	return line + " " + c.Place()
}

// Place names where it changed, the user's line first.
func (c Change) Place() string {
	if c.Function == "" {
		return c.What
	}
	text := symbol.Short(c.Function)
	if c.What != "" && c.What != text {
		text += ": " + c.What
	}
	if c.Calls {
		text += ", with what it calls"
	}
	if path := c.pathOrBase(); path != "" {
		return fmt.Sprintf("%s:%d %s", path, c.Line, text)
	}
	return text
}

// pathOrBase is Path or, where that is not known, the name of the file.
func (c Change) pathOrBase() string {
	return cmp.Or(c.Path, c.File[strings.LastIndexAny(c.File, `/\`)+1:])
}

// Explanation is what the profiles say of a change that is known.
type Explanation struct {
	// Changes are those beyond the noise that are worth a line, what explains the whole best first: see worthALine.
	Changes []Change `json:"changes,omitempty"`
	// Total is the whole change, in percent of A. Explained is the part of it in Changes,
	// Smaller that in further changes beyond the noise, of which there are More, and
	// Unexplained the rest.
	Total       float64 `json:"total_percent"`
	Explained   float64 `json:"explained_percent"`
	Smaller     float64 `json:"smaller_percent,omitempty"`
	More        int     `json:"more,omitempty"`
	Unexplained float64 `json:"unexplained_percent"`
	// Conf is the confidence with which all intervals hold together. Asked is how many
	// places were looked at.
	Conf  float64 `json:"conf"`
	Asked int     `json:"asked"`
	// SamplesA and SamplesB are how many samples the profiles have; 0 if they are exact.
	SamplesA float64 `json:"samples_a,omitempty"`
	SamplesB float64 `json:"samples_b,omitempty"`
	// TooFew says that these are too few to name a cause, Contradict that the changes in the profiles go beyond the whole
	// change, or against it, by more than their errors. There are no Changes then.
	TooFew     bool `json:"too_few,omitempty"`
	Contradict bool `json:"contradict,omitempty"`
}

// Claims are the changes, none of an explanation that is not there.
func (e *Explanation) Claims() []Change {
	if e == nil {
		return nil
	}
	return e.Changes
}

// leastPart is the share of both sides together under which a place is not asked: with
// less to ask, intervals are narrower.
const leastPart = 0.01

// Why finds the places in which the cost of a request changed, where whole says by how
// much it changed in all.
//
// Stacks are grouped by what they do (a system call under net.(*conn).Read, sort.Slice,
// own time of main.work), whatever function does it, since variants are often two
// functions by design and most of the cost only moves from one to the other. Then come the
// user's functions with all that they call. A change is claimed only if its interval
// excludes zero; the intervals are widened for the number of places (Bonferroni), so that
// equal variants give any line in 5 % of cases at most. The noise is that of New, with
// the binomial variance of a share, since the whole is known.
//
// lower says which way the verdict goes, and worthALine which changes are shown. If none goes its way, or
// all together contradict the whole, there is no explanation.
func Why(a, b []prof.Capture, whole Whole, lower bool, o WhyOptions) (*Explanation, error) {
	if len(a) == 0 || len(b) == 0 {
		return nil, errors.New("compare profiles: there are none of one side")
	}
	if a[0].Kind != b[0].Kind {
		return nil, fmt.Errorf("compare profiles: kinds %q and %q", a[0].Kind, b[0].Kind)
	}
	if !(whole.A >= 0 && whole.B >= 0 && whole.base() > 0) || math.IsInf(whole.A+whole.B, 0) {
		return nil, fmt.Errorf("compare profiles: costs per request of %v and %v", whole.A, whole.B)
	}
	w := &why{bySite: o.BySite, allocatesToo: o.AllocatesToo, whole: whole, code: o.Code.Reader(),
		alpha: cmp.Or(o.Alpha, 0.05)}
	count := sideOptions{sampleType: o.SampleType, learn: groupWhat, groupsOf: w.groups}
	if o.BySite {
		count.learn = groupSite
	}
	var err error
	for i, captures := range MatchClosures(a, b).Sides {
		cost := [...]float64{whole.A, whole.B}[i]
		// A request that costs nothing on one side is nearly nothing, of which there is no sample.
		count.whole, count.empty = max(cost, 1e-9*whole.base()), cost == 0
		if w.sides[i], err = newDiffSide(captures, count); err != nil {
			return nil, fmt.Errorf("compare profiles: %c: %w", 'A'+rune(i), err)
		}
	}
	if w.sides[0].sampleType != w.sides[1].sampleType {
		return nil, fmt.Errorf("compare profiles: A is %s, B %s", w.sides[0].sampleType.Name, w.sides[1].sampleType.Name)
	}
	return w.explain(lower), nil
}

// why is an explanation being found.
type why struct {
	code   *prof.StackReader
	bySite bool
	whole  Whole
	alpha  float64
	sides  [2]*diffSide
	// allocatesToo is that of WhyOptions.
	allocatesToo bool
	wide         float64 // how many standard errors an interval is wide, to either side
	found        map[group]bool
}

// groups are those that are asked about.
func (w *why) groups(groups []group, stack []symbol.Frame) []group {
	site := w.site(stack)
	groups = append(groups, w.part(site))
	if w.bySite || site.What == collectorSite { // counted exactly, each at its line; or work for all who allocate
		return groups
	}
	w.code.Distinct(stack, func(f symbol.Frame) {
		if w.code.Owns(f.Function) && !symbol.IsStub(f) {
			groups = append(groups, group{kind: groupCum, function: f.Function})
		}
	})
	return groups
}

// collectorSite stands for all work of the garbage collector: that of its workers, and what allocations have to do for
// it.
const collectorSite = "garbage collector"

// site is what a stack does, and where.
func (w *why) site(stack []symbol.Frame) prof.Site {
	s := w.code.Site(stack)
	if !w.bySite && strings.HasPrefix(s.What, collectorSite) {
		return prof.Site{What: collectorSite}
	}
	return s
}

// part is the group of what a stack does.
func (w *why) part(s prof.Site) group {
	if w.bySite {
		return group{kind: groupSite, function: s.Function, what: s.What}
	}
	return group{kind: groupWhat, what: s.What}
}

func (w *why) explain(lower bool) *Explanation {
	a, b := w.sides[0], w.sides[1]
	e := &Explanation{Total: 100 * (w.whole.B - w.whole.A) / w.whole.base(), Conf: 1 - w.alpha}
	if !math.IsInf(a.samples, 0) {
		e.SamplesA = math.Round(a.samples)
	}
	if !math.IsInf(b.samples, 0) {
		e.SamplesB = math.Round(b.samples)
	}
	e.Unexplained = e.Total
	least := min(a.samples, b.samples)
	if w.whole.A == 0 || w.whole.B == 0 { // of what costs nothing there are no samples
		least = max(a.samples, b.samples)
	}
	if e.TooFew = least < prof.FewestSamples; e.TooFew {
		return e
	}
	var asked []group
	for g := range union(a.groups, b.groups) {
		if w.hasEnoughSamples(g) {
			asked = append(asked, g)
		}
	}
	if e.Asked = len(asked); e.Asked == 0 {
		return e
	}
	w.wide = normalTwoSided(w.alpha / float64(len(asked)))
	changes := w.parts(asked)
	changes = w.withoutMoved(append(changes, w.callers(asked)...))
	if e.Contradict = contradict(changes, e.Total, 100*w.wide*w.whole.StdErr/w.whole.base()); e.Contradict ||
		!goesItsWay(changes, lower) {
		return e
	}
	e.Changes = worthALine(changes, lower, w.allocatesToo)
	for _, c := range e.Changes {
		e.Explained += c.Share
	}
	for _, c := range changes {
		e.Smaller += c.Share
	}
	e.Smaller -= e.Explained
	e.More = len(changes) - len(e.Changes)
	if e.More == 0 {
		e.Smaller = 0
	}
	e.Unexplained = e.Total - e.Explained - e.Smaller
	return e
}

// hasEnoughSamples says whether both sides together have enough of a group to ask about it.
func (w *why) hasEnoughSamples(g group) bool {
	a, b := w.sides[0].of(g), w.sides[1].of(g)
	if samplesIn(a)+samplesIn(b) < leastSamples {
		return false
	}
	partA, partB := w.sides[0].part(a), w.sides[1].part(b)
	if g.kind == groupCum && partA >= wholeProgram && partB >= wholeProgram {
		return false
	}
	return max(partA, partB) >= leastPart
}

// change compares the costs of a group; ok is false if the interval holds zero.
func (w *why) change(a, b *groupCost) (c Change, ok bool) {
	d := compareGroup(w.sides[0], w.sides[1], a, b)
	if w.whole.B > 0 {
		d.stdErr = math.Hypot(d.stdErr, b.value*w.whole.StdErr/w.whole.B)
	}
	percent := 100 / w.whole.base()
	c = Change{
		A: d.a, B: d.b, Delta: d.delta, StdErr: d.stdErr, Unit: w.sides[0].sampleType.Unit, Share: percent * d.delta,
		Low: percent * (d.delta - w.wide*d.stdErr), High: percent * (d.delta + w.wide*d.stdErr),
	}
	return c, d.delta != 0 && (c.Low > 0 || c.High < 0)
}

// parts are the things that stacks do more or less.
func (w *why) parts(asked []group) []Change {
	var changes []Change
	w.found = map[group]bool{}
	for _, g := range asked {
		if g.kind == groupCum {
			continue
		}
		c, ok := w.change(w.sides[0].of(g), w.sides[1].of(g))
		if !ok {
			continue
		}
		w.found[g] = true
		changes = append(changes, w.at(c, w.locate(g, c.Delta > 0)))
	}
	byDelta(changes)
	return changes
}

// at is a change at its place.
func (w *why) at(c Change, place prof.Site) Change {
	c.Site, c.Path, c.Outside = place, w.code.Path(place), !w.code.Owns(place.Function)
	return c
}

// callers are the functions of the user that changed with all that they call, without what
// was found before: the innermost first.
func (w *why) callers(asked []group) []Change {
	var candidates []group
	size := func(g group) float64 {
		return max(w.sides[0].of(g).value, w.sides[1].of(g).value)
	}
	for _, g := range asked {
		if _, ok := w.change(w.sides[0].of(g), w.sides[1].of(g)); ok && g.kind == groupCum {
			candidates = append(candidates, g)
		}
	}
	slices.SortFunc(candidates, func(x, y group) int {
		return cmp.Or(cmp.Compare(size(x), size(y)), cmp.Compare(x.function, y.function))
	})
	var changes []Change
	for _, g := range candidates {
		all := w.sides[1].of(g).value - w.sides[0].of(g).value
		rest, place := w.rest(g)
		c, ok := w.change(rest[0], rest[1])
		// What others have is not new, and neither is a rest that goes the other way.
		if !ok || c.Delta/all < 0.5 {
			continue
		}
		w.found[g] = true
		c.Calls = true
		changes = append(changes, w.at(c, place))
	}
	byDelta(changes)
	return changes
}

// rest is what a function costs with what it calls, without the stacks that are in what
// was found, and the line of it that costs most.
func (w *why) rest(g group) (costs [2]*groupCost, place prof.Site) {
	lines := map[prof.Site]float64{}
	var groups []group
	for i, s := range w.sides {
		cost, noise := &groupCost{pieces: make([]float64, len(s.captures))}, s.variances()
		s.walk(func(n int, sample *profile.Sample, v float64, stack []symbol.Frame) {
			at := slices.IndexFunc(stack, func(f symbol.Frame) bool { return f.Function == g.function })
			if at < 0 {
				return
			}
			groups = w.groups(groups[:0], stack)
			if slices.ContainsFunc(groups, func(g group) bool { return w.found[g] }) {
				return
			}
			cost.add(s, n, v, noise[n](sample))
			lines[prof.Site{Function: g.function, File: stack[at].File, Line: stack[at].Line}] += v / s.per
		})
		costs[i] = cost
	}
	return costs, sampled.Heaviest(lines, prof.CompareSites)
}

func byDelta(changes []Change) {
	slices.SortFunc(changes, func(x, y Change) int {
		return cmp.Or(cmp.Compare(math.Abs(y.Delta), math.Abs(x.Delta)), prof.CompareSites(x.Site, y.Site))
	})
}
