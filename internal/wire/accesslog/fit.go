package accesslog

import (
	"cmp"
	"hash/maphash"
	"maps"
	"slices"
	"time"

	"github.com/gohone/hone/internal/wire/requests"
)

// Fit is the load that the requests of a log were.
type Fit struct {
	// Requests are those taken, over the time Span from the first to the last; Kept of them are in the list.
	Requests, Kept int
	Span           time.Duration
	// MeanHz is how many there were in a second on average; RateHz is that rate as requests saw it, so that pauses and
	// quiet hours do not lower it: it is what the program works under, and the same as MeanHz of a steady load. Busiest
	// is how many there were in the busiest second. Dispersion is the index of dispersion of the counts of seconds: 1
	// for Poisson arrivals.
	MeanHz     float64
	RateHz     float64
	Busiest    int
	Dispersion float64
	// AtOnce is how many were under way at once on average, by Little's law: rate times mean duration (Little 1961, A
	// Proof for the Queuing Formula L = λW). Negative: the log has no durations. Durations says where they stand, and
	// their unit.
	AtOnce    float64
	Durations string
	// Clients are the different clients: address and user agent; 0: the log has none. Active are those of the busiest
	// minute.
	Clients int
	Active  int
	// PerConnection is how many requests a connection carried, where the log has the clients' ports; otherwise 0.
	PerConnection float64
	// Endpoints are the methods and paths, the most frequent first; their number is bounded.
	Endpoints []Endpoint
	// Statuses are the statuses of answers from 400 to 499, by how many requests had them. Those that a client or a
	// proxy made by going away are left out.
	Statuses map[int]int
	// AnswerBytes is the mean size of an answer's body; negative: not known.
	AnswerBytes float64
}

// Endpoint is a method and a path, with {} for what is different in each request.
type Endpoint struct {
	Method, Path string
	// Requests had it, Taken of them were taken.
	Requests, Taken int
	// AnswerBytes and BodyBytes are medians of the bodies of answers and of requests in the log; negative: not known.
	// SentBytes is that of the bodies that a load sends.
	AnswerBytes, BodyBytes, SentBytes int64
	// NeedsBody says that requests have a body, which the log does not have.
	NeedsBody bool
}

// fitting is a Fit that grows with each request.
type fitting struct {
	seen, taken int
	first, last time.Time
	fractions   bool // times have fractions of a second; otherwise a request is anywhere in its second
	seconds     seconds
	took        map[string]*durations
	clients     distinct
	active      map[uint64]bool // in the minute under way
	minute      int64
	busiest     int // the most that were active in a minute
	ported      int // clients with a port
	endpoints   map[string]*endpoint
	statuses    map[int]int
	answers     sizes
	heads       sizes // what a request without a body has beside method and target
}

type endpoint struct {
	Endpoint
	answers, bodies, sent sizes
}

// durations are those of one name.
type durations struct {
	took // its value is unused
	sum  float64
	n    int
}

func newFitting() fitting {
	return fitting{took: map[string]*durations{}, clients: distinct{}, active: map[uint64]bool{},
		endpoints: map[string]*endpoint{}, statuses: map[int]int{}}
}

const (
	mostEndpoints = 1000
	mostClients   = 1 << 20
	mostNames     = 16 // of durations
)

// distinct is a set of texts, by their hashes.
type distinct map[uint64]bool

var hashSeed = maphash.MakeSeed()

// countRequest counts a request, and what is made of it: whether it is taken, and with how long a body.
func (f *fitting) countRequest(e *entry, path string, size int64, taken bool, sent int64) {
	f.seen++
	f.endpoint(e, path, size, taken, sent)
	if !taken {
		return
	}
	if f.taken++; f.first.IsZero() || e.at.Before(f.first) {
		f.first = e.at
	}
	if e.at.After(f.last) {
		f.last = e.at
	}
	f.seconds.add(e.at)
	f.answers.add(e.answer)
	if e.status >= 400 && e.status < 500 && e.status != 408 && e.status != 499 {
		f.statuses[e.status]++
	}
	f.duration(e.took)
	f.client(e)
}

func (f *fitting) endpoint(e *entry, path string, size int64, taken bool, sent int64) {
	name := e.method + " " + requests.Endpoint(path)
	of := f.endpoints[name]
	if of == nil {
		if len(f.endpoints) == mostEndpoints {
			return
		}
		of = &endpoint{Endpoint: Endpoint{Method: e.method, Path: requests.Endpoint(path)}}
		f.endpoints[name] = of
	}
	of.Requests++
	of.answers.add(e.answer)
	if hasBody(e.method) {
		of.bodies.add(size)
		of.NeedsBody = of.NeedsBody || size != 0
	}
	if taken {
		of.Taken++
		of.sent.add(sent)
	}
}

func (f *fitting) duration(t took) {
	if t.key == "" {
		return
	}
	d := f.took[t.key]
	if d == nil {
		if len(f.took) == mostNames {
			return
		}
		d = &durations{took: t}
		f.took[t.key] = d
	}
	scale := 1.0
	if t.unit != d.unit && d.unit != 0 && t.unit != 0 {
		scale = float64(t.unit) / float64(d.unit)
	}
	d.sum += t.value * scale
	d.decimals = max(d.decimals, t.decimals)
	d.n++
}

func (f *fitting) client(e *entry) {
	if e.client == "" || e.client == "-" {
		return
	}
	id := maphash.String(hashSeed, e.client+" "+e.agent)
	if len(f.clients) < mostClients && !f.clients[id] {
		f.clients[id] = true
		if e.hasPort() {
			f.ported++
		}
	}
	if m := e.at.Unix() / 60; m > f.minute { // lines of a minute come some seconds into the next, too
		clear(f.active)
		f.minute = m
	}
	if len(f.active) < mostClients {
		f.active[id] = true
		f.busiest = max(f.busiest, len(f.active))
	}
}

// bodySize is how long the body of a request was; negative: not known. Where the log has the length of whole requests,
// the rest of it is that of requests without a body.
func (f *fitting) bodySize(e *entry) int64 {
	if e.body >= 0 {
		return e.body
	}
	if e.length < 0 {
		return -1
	}
	own := int64(len(e.method) + len(e.target))
	if !hasBody(e.method) {
		f.heads.add(e.length - own)
		return 0
	}
	rest := f.heads.median()
	if rest < 0 {
		return -1
	}
	return max(0, e.length-own-rest)
}

// finish returns the Fit.
func (f *fitting) finish() *Fit {
	out := &Fit{Requests: f.taken, Span: f.last.Sub(f.first), AtOnce: -1, Clients: len(f.clients), Active: f.busiest,
		Statuses: f.statuses, AnswerBytes: f.answers.mean()}
	gaps := max(f.taken-1, 1)
	if !f.fractions && f.taken > 0 {
		out.Span, gaps = out.Span+time.Second, f.taken
	}
	span := max(out.Span, time.Second)
	out.MeanHz = float64(gaps) / span.Seconds()
	out.RateHz = max(out.MeanHz, f.seconds.seen())
	out.Dispersion = f.seconds.dispersion(span)
	out.Busiest = f.seconds.busiest
	if d := f.mostTook(); d != nil {
		mean := d.sum / float64(d.n) * d.scale().Seconds()
		out.AtOnce, out.Durations = out.RateHz*mean, d.words()
	}
	if f.ported > 0 && f.ported == len(f.clients) {
		out.PerConnection = float64(f.taken) / float64(f.ported)
	}
	for _, of := range f.endpoints {
		of.AnswerBytes, of.BodyBytes, of.SentBytes = of.answers.median(), of.bodies.median(), of.sent.median()
		out.Endpoints = append(out.Endpoints, of.Endpoint)
	}
	slices.SortFunc(out.Endpoints, func(a, b Endpoint) int {
		return cmp.Or(b.Requests-a.Requests, cmp.Compare(a.Path, b.Path), cmp.Compare(a.Method, b.Method))
	})
	return out
}

// mostTook are the durations of the name that most requests have.
func (f *fitting) mostTook() (most *durations) {
	for _, name := range slices.Sorted(maps.Keys(f.took)) {
		if d := f.took[name]; most == nil || d.n > most.n {
			most = d
		}
	}
	return most
}

// scale is the unit of the durations. Where the log does not say it, their digits do: programs of Go measure in
// nanoseconds, so whole numbers are nanoseconds, and a number is in milliseconds if its point has up to six digits
// after it, in seconds if more. Numbers that are too small for that, and short, are of programs that measure in
// milliseconds.
func (d *durations) scale() time.Duration {
	mean := d.sum / float64(d.n)
	switch {
	case d.unit > 0:
		return d.unit
	case d.decimals > 6, d.decimals > 0 && d.decimals <= 3 && mean < 1:
		return time.Second
	case d.decimals == 0 && mean >= 1000: // as milliseconds a second
		return time.Nanosecond
	}
	return time.Millisecond
}

func (d *durations) words() string {
	unit := map[time.Duration]string{time.Second: "seconds", time.Millisecond: "milliseconds",
		time.Microsecond: "microseconds", time.Nanosecond: "nanoseconds"}[d.scale()]
	if d.unit == time.Nanosecond && d.decimals == 0 {
		return d.key
	}
	return d.key + ", in " + unit
}
