package walltime

import (
	"cmp"
	"fmt"
	"io"
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
