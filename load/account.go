package load

import (
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
)

// The range of the latency histograms: single nanoseconds to ten minutes with
// three significant digits, 240 kB each. Longer latencies count as ten minutes.
const (
	latencyMin    = int64(1)
	latencyMax    = int64(10 * time.Minute)
	latencyDigits = 3
)

// newHistogram returns an empty one, which may have been in use before.
func newHistogram() *hdrhistogram.Histogram { return used.Get().(*hdrhistogram.Histogram) }

// spare is the empty store of an account, made ahead of time so that opening one
// allocates nothing on an event loop.
type spare struct {
	service, response, lag *hdrhistogram.Histogram // the latter two for open loops only
	codes                  *[MaxCode]uint64
}

func newSpare(open bool) spare {
	s := spare{service: newHistogram(), codes: new([MaxCode]uint64)}
	if open {
		s.response, s.lag = newHistogram(), newHistogram()
	}
	return s
}

// account is what one shard did since its last report.
type account struct {
	spare // filled
	// Counts are counters only: Unsent and Unanswered, which are gauges, stay 0 here.
	Counts
	// dropped counts requests that were lost with their connection before they were
	// sent, or given up unsent at the end of a stretch.
	dropped             uint64
	waited              uint64
	reconnects, renewed int

	streams streams
	targets []targetAccount // nil where there are not several

	failed *hdrhistogram.Histogram // nil until the first wrong answer
	age    *hdrhistogram.Histogram // nil until a request is given up

	// gone holds the latencies of answers that were counted and taken back; report takes
	// them out of service and response.
	gone struct{ service, response *hdrhistogram.Histogram }

	// run right answers of the service time runOf are not in the histogram yet: answers
	// of one batch mostly share both times, and a run costs one record.
	run   int64
	runOf int64
}

// right counts a right answer, which came at now to a request sent at sent and due at
// due; due is 0 in a closed loop.
func (a *account) right(sent, due, now int64) {
	a.Answered++
	if due != 0 && a.response != nil {
		record(a.response, now-due, 1)
		record(a.service, now-sent, 1)
		return
	}
	a.more(now - sent)
}

// more adds a right answer of a service time to the run of those.
func (a *account) more(latency int64) {
	if latency != a.runOf {
		a.endRun()
		a.runOf = latency
	}
	a.run++
}

// endRun moves the pending run into the histogram.
func (a *account) endRun() {
	if a.run > 0 {
		record(a.service, a.runOf, a.run)
		a.run = 0
	}
}

// close completes the histograms.
func (a *account) close() {
	a.endRun()
	a.service, a.response = without(a.service, a.gone.service), without(a.response, a.gone.response)
	for i := range a.targets {
		a.targets[i].Latency = without(a.targets[i].Latency, a.targets[i].gone)
	}
}

// wrong counts a wrong answer with a code to a request.
func (a *account) wrong(cause Cause, code uint16, sent, due, now int64) {
	a.Failed++
	a.Causes[cause]++
	a.status(cause, code)
	a.failed = recordNew(a.failed, now-since(sent, due))
}

// undo takes the right answer a back, which this account counted: it is wrong because of
// cause.
func (a *account) undo(r rightAnswer, cause Cause) {
	a.Answered--
	a.gone.service = recordNew(a.gone.service, r.at-r.sent)
	if r.due != 0 && a.response != nil {
		a.gone.response = recordNew(a.gone.response, r.at-r.due)
	}
	a.takeBack(r.target, a.latencyOf(r))
	a.wrong(cause, 0, r.sent, r.due, r.at)
}

// since is the moment from which a request's latency counts.
func since(sent, due int64) int64 {
	if due != 0 {
		return due
	}
	return sent
}

// lose counts n requests that can never be answered.
func (a *account) lose(cause Cause, n int) {
	a.Failed += uint64(n)
	a.Lost += uint64(n)
	a.Causes[cause] += uint64(n)
}

// giveUp records the age of a request that will not be waited for any longer.
func (a *account) giveUp(age int64) { a.age = recordNew(a.age, age) }

// fault counts a connect that went wrong.
func (a *account) fault(cause Cause) { a.Causes[cause]++ }

// stray counts a reply that belongs to no request.
func (a *account) stray(cause Cause, code uint16) {
	a.Stray++
	a.Causes[cause]++
	a.status(cause, code)
}

// status counts the code of an answer whose status is wrong.
func (a *account) status(cause Cause, code uint16) {
	if cause == WrongStatus {
		a.WrongStatuses.Add(code, 1)
	}
}

// code counts an answer's code.
func (a *account) code(code uint16) {
	if code >= MaxCode {
		code = 0
	}
	a.codes[code]++
}

// record puts values outside the range at its ends, so that no answer is missing
// from the histogram.
func record(h *hdrhistogram.Histogram, latency, n int64) {
	// The value is in range, which is the only thing that RecordValues refuses.
	_ = h.RecordValues(min(max(latency, latencyMin), latencyMax), n)
}

// without is h without the values of gone, which h has; gone may be nil. Histograms take
// no negative counts, so that this makes a new one.
func without(h, gone *hdrhistogram.Histogram) *hdrhistogram.Histogram {
	if gone == nil {
		return h
	}
	left := h.Export()
	for i, n := range gone.Export().Counts {
		left.Counts[i] -= n
	}
	return hdrhistogram.Import(left)
}

// recordNew records one value in h, which it makes where there is none.
func recordNew(h *hdrhistogram.Histogram, latency int64) *hdrhistogram.Histogram {
	if h == nil {
		h = newHistogram()
	}
	record(h, latency, 1)
	return h
}

// merge returns the sum of two histograms of the same range, reusing a. Either may
// be nil.
func merge(a, b *hdrhistogram.Histogram) *hdrhistogram.Histogram {
	if a == nil {
		return b
	}
	if b != nil {
		addBars(a, b)
	}
	return a
}

// quantileOf is a percentile of h in nanoseconds; 0 if there is nothing in it.
func quantileOf(h *hdrhistogram.Histogram, percent float64) float64 {
	if h == nil || h.TotalCount() == 0 {
		return 0
	}
	return float64(h.ValueAtQuantile(percent))
}
