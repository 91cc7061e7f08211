package walltime

import (
	"cmp"
	"fmt"
	"io"
	"iter"
	"math"
	"math/bits"
	"slices"

	"github.com/gohone/hone/internal/sys/cgroup"
	"github.com/gohone/hone/internal/sys/machine"
)

// Schema is that of Digest.
const Schema = "hone.tail/1"

// Options say what is looked for in a trace.
type Options struct {
	// Requests are those that the generator saw answered; nil: the windows are the requests.
	Requests []Request
	// Endpoints are the names of what requests go to, as Request.Target numbers them; nil where they are not told
	// apart.
	Endpoints []string
	// Box is what the kernel counted of the program's control group during the trace; zero without one.
	Box cgroup.Counters
	// Delays are when the kernel did not let the program's threads run meanwhile; nil where that was not looked at.
	Delays []machine.Delay
	// From is the percentile of latency at which requests are slow; 0 means 99.
	From float64
	// Slowest is how many single requests are kept as time lines.
	Slowest int
	// Module is the path of the user's module; "" means that package main is all of it.
	Module string
}

// Digest says where the time of typical and of slow requests went.
type Digest struct {
	Schema string `json:"schema"`
	Method Method `json:"method"`
	// Requests are those inside the trace, Joined those whose work was found in it.
	Requests int `json:"requests"`
	Joined   int `json:"joined"`
	// Cut are those that began before the trace or ended after it, which nothing else counts; CutSlow those of them
	// that took as long as slow ones.
	Cut     int `json:"cut,omitempty"`
	CutSlow int `json:"cut_slow,omitempty"`
	// TraceNanos is the length of the trace.
	TraceNanos int64    `json:"trace_ns"`
	Cohorts    []Cohort `json:"cohorts,omitempty"`
	// Endpoints are those that the load tells apart, those of most time first; nil where there are not several.
	Endpoints []Endpoint `json:"endpoints,omitempty"`
	// Routes are all that the load tells apart, with the functions of each; nil where there are not several.
	Routes []Route `json:"routes,omitempty"`
	// Causes are what slow requests spend more time on in the program than typical ones, the largest first. Outside are
	// what they spend more time on before they reach it, after they leave it, and in the generator.
	Causes  []Cause    `json:"causes,omitempty"`
	Outside []Cause    `json:"outside,omitempty"`
	Slowest []TimeLine `json:"slowest,omitempty"`
	// Origins are the user's lines behind goroutines that libraries started.
	Origins []Origin `json:"origins,omitempty"`
	// Note says what of the trace is missing.
	Note string `json:"note,omitempty"`

	samples []sample
	stacks  *stacks
}

// Cohort are requests whose latency lies between two percentiles.
type Cohort struct {
	Name     string  `json:"name"` // "typical", "slow", or as "p95"
	From     float64 `json:"from"`
	To       float64 `json:"to"`
	Requests int     `json:"requests"`
	// LatencyNanos is the mean of the cohort; the parts add up to it.
	LatencyNanos float64 `json:"latency_ns"`
	Unexplained  float64 `json:"unexplained_ns"`
	// Unjoined are the requests whose work was not found in the trace, UnjoinedNanos what they add to Unexplained.
	Unjoined      int     `json:"unjoined,omitempty"`
	UnjoinedNanos float64 `json:"unjoined_ns,omitempty"`
	Parts         []Part  `json:"parts"`
	// Statements are those of SQL that a program built by hone works on meanwhile, the largest first: the same time as
	// Parts, by another key.
	Statements []Statement `json:"statements,omitempty"`
}

// Part is a share of a cohort's latency.
type Part struct {
	Label
	Nanos float64 `json:"ns"` // per request
}

// Cause is what slow requests spend more time on than typical ones.
type Cause struct {
	Part
	// Share is the part of the difference of the cohorts' latencies, 0 to 1.
	Share float64 `json:"share"`
}

// TimeLine is one request, piece by piece.
type TimeLine struct {
	LatencyNanos int64  `json:"latency_ns"`
	Steps        []Step `json:"steps"`
}

// Step is what a request did from a moment after its beginning on.
type Step struct {
	Label
	At    int64 `json:"at_ns"`
	Nanos int64 `json:"ns"`
}

// The cohorts of a digest: typical requests lie between two percentiles of latency around p50, slow ones from
// one on. Two wider cohorts are there for who wants to see more requests than the slowest hundredth.
const (
	typicalHalf, mostHalf = 5, 25 // percent on each side of p50, and at most, where a trace has few requests
	slowFrom              = 99
	TypicalName, SlowName = "typical", "slow"
)

// FewestMean is how many requests the mean of a cohort needs: with three of a program that pauses now and then, one
// pause is a third of it.
const FewestMean = 10

// typicalBand are the percentiles between which the typical ones of n requests lie: p45 and p55, and wider ones where
// fewer than FewestMean are between those.
func typicalBand(n int) (from, to float64) {
	half := min(max(typicalHalf, math.Ceil(100*FewestMean/2/float64(n))), mostHalf)
	return 50 - half, 50 + half
}

var widerFrom = []float64{90, 95}

// Read reads an execution trace and says where the time of its requests went. A trace that is cut
// or damaged is read as far as it goes: Digest.Note says so. The error is of one that has nothing
// to read.
func Read(from io.Reader, o Options) (*Digest, error) {
	h, err := read(from)
	if err != nil {
		return nil, err
	}
	h.hold(o)
	d := &Digest{Schema: Schema, TraceNanos: h.to - h.from, stacks: h.stacks}
	if h.cut != nil {
		d.Note = h.cut.Error()
	}
	var all []seen
	if o.Requests == nil {
		all, d.Method = h.windowsOnly()
	} else {
		all, d.Method = h.join(o.Requests)
	}
	d.Requests = len(all)
	for _, s := range all {
		if s.window.by != none {
			for _, l := range s.way() {
				h.goroutines[l.by].serves = true
			}
			d.Joined++
		}
	}
	h.onlyServing()
	l := &labeller{walker: newWalker(h), module: o.Module, calls: map[callKey]Call{}, lengths: h.callLengths()}
	d.Origins, d.Routes = l.origins(), l.routes(all, o)
	d.digest(l, all, o)
	if len(all) > 0 {
		d.countCut(h.cutOff(o.Requests), latency(&cut(all, cmp.Or(o.From, slowFrom), 100)[0])) // digest has sorted them
	}
	return d, nil
}

// onlyServing forgets where goroutines read that serve no request: those that ask a backend wait there for its answers,
// and not for the next request.
func (h *history) onlyServing() {
	for i := range h.goroutines {
		if g := &h.goroutines[i]; !g.serves {
			g.site = 0
		}
	}
}

func (d *Digest) digest(l *labeller, all []seen, o Options) {
	if len(all) == 0 {
		return
	}
	slices.SortStableFunc(all, func(a, b seen) int { return cmp.Compare(latency(&a), latency(&b)) })
	from := cmp.Or(o.From, slowFrom)
	typical := d.typical(l, all)
	slow := d.cohort(l, SlowName, cut(all, from, 100), from, 100)
	samples := d.samples // of these two
	d.Cohorts = []Cohort{typical, slow}
	for _, p := range widerFrom {
		if p < from {
			d.Cohorts = append(d.Cohorts, d.cohort(l, fmt.Sprintf("p%g", p), cut(all, p, 100), p, 100))
		}
	}
	d.Endpoints = d.endpoints(l, all, o)
	d.samples = samples
	d.Causes, d.Outside = Causes(&typical, &slow)
	for i := len(all) - 1; i >= max(0, len(all)-o.Slowest); i-- {
		d.Slowest = append(d.Slowest, l.timeLine(&all[i]))
	}
}

// typical is the cohort of the typical requests, of all that are sorted by latency.
func (d *Digest) typical(l *labeller, all []seen) Cohort {
	from, to := typicalBand(len(all))
	return d.cohort(l, TypicalName, cut(all, from, to), from, to)
}

// countCut counts requests that the trace does not hold as a whole; slow is the least latency of slow ones.
func (d *Digest) countCut(requests []Request, slow int64) {
	d.Cut = len(requests)
	for i := range requests {
		if latency(&seen{Request: requests[i]}) >= slow {
			d.CutSlow++
		}
	}
}

func latency(s *seen) int64 { return s.Answered - s.since() }

// cut is the part of sorted requests between two percentiles, one request at the least.
func cut(all []seen, from, to float64) []seen {
	n := float64(len(all))
	a, b := int(math.Floor(n*from/100)), int(math.Ceil(n*to/100))
	a = min(a, len(all)-1)
	return all[a:max(a+1, min(b, len(all)))]
}

// mostPieces is how many pieces of time the requests of a cohort are divided into. A request that waits for a processor
// is divided by whatever had the processor meanwhile: with a thousand requests outstanding, each change of a processor
// would be looked at a thousand times, and reading a trace could take longer than the measurement.
const mostPieces = 1_000_000

// cohort walks the requests of a cohort: all, or those that mostPieces allow, spread evenly over its latencies. What is
// said of one request is the mean of those that are walked.
func (d *Digest) cohort(l *labeller, name string, members []seen, from, to float64) Cohort {
	c := Cohort{Name: name, From: from, To: to, Requests: len(members)}
	for i := range members {
		if members[i].window.by == none {
			c.Unjoined++
		}
	}
	sums, on := map[chainID]int64{}, newStatements(l)
	n, divided := 0.0, 0
	for i := range spread(len(members)) {
		if divided > mostPieces {
			break
		}
		n++
		pieces := l.request(&members[i])
		divided += len(pieces)
		for _, p := range pieces {
			sums[p.chain] += p.to - p.from
		}
		c.LatencyNanos += float64(latency(&members[i]))
		if members[i].window.by == none {
			c.UnjoinedNanos += float64(members[i].Answered - members[i].Sent)
			continue
		}
		on.request(pieces, l.walker.calls)
	}
	c.LatencyNanos /= n
	c.UnjoinedNanos /= n
	c.Statements = on.perRequest()
	parts := map[partKey]*Part{}
	var order []*Part
	most := map[*Part]float64{}
	for id := range chainID(len(l.chains)) {
		sum := sums[id]
		if sum == 0 {
			continue
		}
		label, each := l.label(id), float64(sum)/n
		d.samples = append(d.samples, sample{cohort: name, label: label, chain: l.links(id), nanos: each})
		if label.State == Unexplained {
			c.Unexplained += each
		}
		p := parts[keyOf(label)]
		if p == nil {
			p = &Part{Label: label}
			parts[keyOf(label)] = p
			order = append(order, p)
		}
		p.Nanos += each
		if label.Limit > 0 && each > most[p] {
			p.Label, most[p] = label, each // who had the connections for longest
		}
	}
	for _, p := range order {
		c.Parts = append(c.Parts, *p)
	}
	slices.SortStableFunc(c.Parts, func(a, b Part) int { return cmp.Compare(b.Nanos, a.Nanos) })
	return c
}

// spread are the indices below n in an order of which each beginning is spread evenly: 0, the middle, the quarters and
// so on (the sequence of van der Corput).
func spread(n int) iter.Seq[int] {
	return func(yield func(int) bool) {
		width := bits.Len(uint(n - 1))
		for k := range uint64(1) << width {
			if i := int(bits.Reverse64(k) >> (64 - width)); i < n && !yield(i) {
				return
			}
		}
	}
}

// partKey is what two pieces of one part have in common.
type partKey struct{ own, behind Call }

// keyOf leaves out what varies within a part: the lines of one function that runs, and who had the connections of a
// pool.
func keyOf(l Label) partKey {
	k := partKey{own: ofFunction(l.Call)}
	if l.Behind != nil && l.Limit == 0 {
		k.behind = ofFunction(*l.Behind)
	}
	return k
}

// ofFunction is a call without its line and its libraries, if it is a function of the user's that runs.
func ofFunction(c Call) Call {
	if (c.State == Running || c.State == Requests) && c.Function != "" {
		c.Library, c.Outer, c.Line = "", "", 0
	}
	return c
}

// Causes ranks what requests of one cohort spend more time on than those of another of the same
// program, in it and outside of it; nil if they are not slower.
func Causes(typical, slow *Cohort) (causes, outside []Cause) {
	if slow.LatencyNanos <= typical.LatencyNanos {
		return nil, nil
	}
	for _, c := range rank(typical, slow, causeKey) {
		c.Label = slow.heldAcross(c.Label)
		switch c.State {
		case Unsent, Before, After:
			outside = append(outside, c)
		default:
			causes = append(causes, c)
		}
	}
	return causes, outside
}

// MuchOutside is the share of what makes requests slow that may be outside of the program: of a trace with more of it
// the network, the kernel or the generator is said first, and a run takes another trace.
const MuchOutside = 1.0 / 3

// OutsideShare is the part of the difference between slow and typical requests that is not the program's, 0 to 1.
func (d *Digest) OutsideShare() (sum float64) {
	for _, c := range d.Outside {
		sum += c.Share
	}
	return sum
}

// Changes ranks what requests of program b spend more time on than those of program a, if b's are
// slower, and less if they are faster. Lines may differ between the two and are not compared.
func Changes(a, b *Cohort) []Cause {
	return rank(a, b, func(l Label) partKey {
		k := causeKey(l)
		k.own.Line, k.own.File, k.behind.Line, k.behind.File = 0, "", 0, ""
		return k
	})
}

// rank divides the difference of two cohorts among the causes that key tells apart.
func rank(typical, slow *Cohort, key func(Label) partKey) []Cause {
	whole := slow.LatencyNanos - typical.LatencyNanos
	if whole == 0 {
		return nil
	}
	more := map[partKey]*Cause{}
	var order []*Cause
	add := func(p Part, sign float64) {
		k := key(p.Label)
		c := more[k]
		if c == nil {
			c = &Cause{Part: Part{Label: p.Label}}
			more[k] = c
			order = append(order, c)
		}
		c.Nanos += sign * p.Nanos
	}
	for _, p := range slow.Parts { // the largest first, so that a cause is named by it
		add(p, 1)
	}
	for _, p := range typical.Parts {
		add(p, -1)
	}
	var all []Cause
	for _, c := range order {
		if c.Share = c.Nanos / whole; c.Share >= leastShare && c.State != Unexplained {
			all = append(all, *c)
		}
	}
	slices.SortStableFunc(all, func(a, b Cause) int { return cmp.Compare(b.Share, a.Share) })
	return all
}

// Cohort is the cohort of that name; nil if there is none.
func (d *Digest) Cohort(name string) *Cohort {
	i := slices.IndexFunc(d.Cohorts, func(c Cohort) bool { return c.Name == name })
	if i < 0 {
		return nil
	}
	return &d.Cohorts[i]
}

// briefCauses is how many causes Brief keeps, briefShare how large a part of a latency has to be.
const (
	briefCauses = 6
	briefShare  = 0.01
)

// Brief is the part of a digest that fits into the document of a run: the large parts of the
// typical and the slow requests, and the largest causes; nil of nil.
func (d *Digest) Brief() *Digest {
	if d == nil {
		return nil
	}
	b := &Digest{
		Schema: d.Schema, Method: d.Method, Requests: d.Requests, Joined: d.Joined, Cut: d.Cut, CutSlow: d.CutSlow,
		TraceNanos: d.TraceNanos, Note: d.Note,
		Causes: d.Causes[:min(briefCauses, len(d.Causes))], Outside: d.Outside,
	}
	for _, name := range []string{TypicalName, SlowName} {
		if c := d.Cohort(name); c != nil {
			b.Cohorts = append(b.Cohorts, c.brief())
		}
	}
	for _, e := range d.Endpoints {
		e.Typical, e.Slow, e.Causes = e.Typical.brief(), e.Slow.brief(), e.Causes[:min(briefCauses, len(e.Causes))]
		b.Endpoints = append(b.Endpoints, e)
	}
	return b
}

// brief is a cohort without its small parts and statements.
func (c Cohort) brief() Cohort {
	parts, statements := c.Parts, c.Statements
	c.Parts, c.Statements = nil, nil
	for _, p := range parts {
		if p.Nanos >= briefShare*c.LatencyNanos {
			c.Parts = append(c.Parts, p)
		}
	}
	for _, s := range statements {
		if s.Nanos >= briefShare*c.LatencyNanos {
			c.Statements = append(c.Statements, s)
		}
	}
	return c
}

// leastShare is the share of the difference from which on a cause is kept.
const leastShare = 0.01

// causeKey tells causes apart: by the request's own call, and where it waits to run by what it
// waits for. A call that waits for a backend waits for the library's own goroutines as well.
func causeKey(l Label) partKey {
	k := keyOf(l)
	if l.State != Runnable {
		k.behind = Call{}
	}
	if l.State == Network {
		k.own.State = Channel
	}
	if k.behind.State == Requests {
		k.behind = Call{State: Requests} // whatever they did
	}
	return k
}

// ByCause are the parts of a cohort, those of one cause added up, the largest first: a cause is named by its largest
// part.
func (c *Cohort) ByCause() (all []Part) {
	at := map[partKey]int{}
	for _, p := range c.Parts {
		k := causeKey(p.Label)
		if i, known := at[k]; known {
			all[i].Nanos += p.Nanos
			continue
		}
		at[k] = len(all)
		all = append(all, p)
	}
	slices.SortStableFunc(all, func(a, b Part) int { return cmp.Compare(b.Nanos, a.Nanos) })
	return all
}

// shortStep is what part of a request a step has to be, or it counts to the one before: a request
// that waits for a processor may wait behind hundreds of others.
const shortStep = 500

// timeLine is one request piece by piece.
func (l *labeller) timeLine(s *seen) TimeLine {
	t := TimeLine{LatencyNanos: latency(s)}
	pieces := slices.Clone(l.request(s))
	slices.SortStableFunc(pieces, func(a, b piece) int { return cmp.Compare(a.from, b.from) })
	for _, p := range pieces {
		label := l.label(p.chain)
		n, short := len(t.Steps), p.to-p.from < t.LatencyNanos/shortStep
		if n > 0 && (short || keyOf(t.Steps[n-1].Label) == keyOf(label)) {
			t.Steps[n-1].Nanos += p.to - p.from
			continue
		}
		t.Steps = append(t.Steps, Step{Label: label, At: p.from - s.since(), Nanos: p.to - p.from})
	}
	return t
}
