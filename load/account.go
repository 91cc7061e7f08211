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

func newHistogram() *hdrhistogram.Histogram {
	return hdrhistogram.New(latencyMin, latencyMax, latencyDigits)
}

// account is what one shard did since its last report.
type account struct {
	// Counts are flows only: Unsent and Unanswered, which are levels, stay 0 here.
	Counts
	// dropped counts requests that were lost with their connection before they were
	// sent.
	dropped    uint64
	reconnects int

	latency *hdrhistogram.Histogram
	failed  *hdrhistogram.Histogram // nil until the first wrong answer

	// run right answers of the latency runOf are not in the histogram yet: answers
	// of one batch mostly share both times, and a run costs one record.
	run   int64
	runOf int64
}

// right counts a right answer.
func (a *account) right(latency int64) {
	a.Answered++
	if latency != a.runOf {
		a.endRun()
		a.runOf = latency
	}
	a.run++
}

// endRun moves the pending run into the histogram.
func (a *account) endRun() {
	if a.run > 0 {
		record(a.latency, a.runOf, a.run)
		a.run = 0
	}
}

// wrong counts a wrong answer to a request.
func (a *account) wrong(cause Cause, latency int64) {
	a.Failed++
	a.Causes[cause]++
	if a.failed == nil {
		a.failed = newHistogram()
	}
	record(a.failed, latency, 1)
}

// lose counts n requests that can never be answered.
func (a *account) lose(cause Cause, n int) {
	a.Failed += uint64(n)
	a.Causes[cause] += uint64(n)
}

// fault counts something wrong that belongs to no request.
func (a *account) fault(cause Cause) { a.Causes[cause]++ }

// record puts values outside the range at its ends, so that no answer is missing
// from the histogram.
func record(h *hdrhistogram.Histogram, latency, n int64) {
	// The value is in range, which is the only thing that RecordValues refuses.
	_ = h.RecordValues(min(max(latency, latencyMin), latencyMax), n)
}

// merge returns the sum of two histograms of the same range, reusing a. Either may
// be nil.
func merge(a, b *hdrhistogram.Histogram) *hdrhistogram.Histogram {
	if a == nil {
		return b
	}
	if b != nil {
		a.Merge(b)
	}
	return a
}
