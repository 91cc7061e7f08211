package conclusion

import (
	"fmt"
	"math"

	"github.com/gohone/hone/internal/conduct/timed"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/text/units"
	"github.com/gohone/hone/stats"
)

const (
	// leastFall is the fall of bytes that is told: the whole interval has to be beyond it. Lines of a log get shorter
	// by a digit where an answer takes 98 us instead of 123 us. leastBytes is the least fall per request: the Go
	// runtime writes and reads 8 bytes to wake itself.
	leastFall, leastBytes = 0.02, 4
	// readFall and readBytes are the same for what is read, leftFall for what stands in files at the end: a buffer that
	// is not flushed at the end is a part of that.
	readFall, readBytes, leftFall = 0.1, 64, 0.1
	// storedFall is the fall of what disks are asked for where a program writes to nowhere; nowhere is the part of what
	// it writes that B then stores at most. A program that has each line on the disk at once (fsync) stores a page for
	// each, and far less for the same lines once it writes many together.
	storedFall, nowhere = 0.95, 0.1
	// laterFall is the fall of what disks are asked for where A stores pages again and again, storedAgain how often at
	// least it does, page the size of one, and leastSynced what it then stores for a request: an eighth of one.
	laterFall, storedAgain, page, leastSynced = 0.5, 2, 4096, page / 8
	// childrenFall is the fall of the CPU time of short-lived children.
	childrenFall = 0.5
	// evenRate is how far the bytes per second of A and B may lie apart where a clock and not requests has them
	// written.
	evenRate = 0.05
	// lateShare is the part of the missing bytes that has to come after the load for them not to be missing.
	lateShare = 0.5
	// fewConfidence is that of intervals over the starts that are known to their end: of six starts the last one is
	// profiled in ways that it does not survive unchanged.
	fewConfidence = 0.9
)

// fall is how much less B does of something, per request.
type fall struct{ perA, perB float64 }

func (f fall) percent() string { return fmt.Sprintf("%.0f %%", 100*(1-f.perB/f.perA)) }

// per is something per request, of a start.
type per func(*timed.Effects) float64

// timedPer is of what was done from the first slice to the last.
func timedPer(of func(timed.BytesMoved) float64) per {
	return func(e *timed.Effects) float64 { return of(e.Timed) / float64(e.Answered) }
}

// floor is the least that counts, a byte or a nanosecond per request: what is less counts as that.
const floor = 1

// fell is how much less B does; false unless its whole interval is below 1 - least.
func fell(ofA, ofB []*timed.Effects, of per, least, confidence float64) (f fall, sure bool) {
	var d, as []float64
	for i := range ofA {
		a, b := of(ofA[i]), of(ofB[i])
		if math.IsNaN(a) || math.IsNaN(b) {
			continue
		}
		as = append(as, a)
		d = append(d, math.Log(max(b, floor)/max(a, floor)))
	}
	e, err := stats.HodgesLehmann(d, confidence)
	if err != nil || !e.Bounded() || e.High >= math.Log1p(-least) {
		return f, false
	}
	if f.perA, err = stats.Median(as); err != nil || f.perA <= floor {
		return f, false
	}
	if f.perB = f.perA * math.Exp(e.Value); f.perB <= 1.01*floor {
		f.perB = 0 // that it is less than the floor is all that is known
	}
	return f, true
}

// lessCaveats are what B does less of besides answering.
func lessCaveats(a, b *timed.Load) (all []*record.Caveat) {
	ofA, ofB := timed.BothDid(a, b)
	if len(ofA) == 0 {
		return nil
	}
	less := func(name, format string, f fall) {
		all = append(all, &record.Caveat{Name: name, Text: fmt.Sprintf(format, f.percent()), Open: true,
			Detail: fmt.Sprintf("%s per request, A %s", units.Bytes(f.perB), units.Bytes(f.perA))})
	}
	clock := byTheClock(ofA, ofB)
	written := func(m timed.BytesMoved) float64 { return m.Written }
	output := func(m timed.BytesMoved) float64 { return m.Output }
	wrote, writes := fell(ofA, ofB, timedPer(written), leastFall, caveatConfidence)
	writes = writes && wrote.perA-wrote.perB >= leastBytes && !clock && !late(ofA, ofB, written)
	if writes {
		less(record.CaveatWrites, "it writes %s fewer bytes to "+destination(ofA), wrote)
	}
	if f, ok := fell(ofA, ofB, timedPer(output), leastFall, caveatConfidence); ok && f.perA-f.perB >= leastBytes &&
		!clock && !late(ofA, ofB, output) {
		less(record.CaveatLogs, "it writes %s fewer bytes to its output", f)
	}
	if f, ok := storesNowhere(ofA, ofB); ok && !writes {
		less(record.CaveatStores, "it stores %s fewer bytes on disk", f)
	} else if f, ok := storesLater(ofA, ofB); ok && !writes {
		less(record.CaveatDurable, "it has %s fewer bytes on disk when it answers", f)
		if f.perB >= page/2/float64(max(1, b.AtOnce)) || b.AtOnce == 0 { // one page for all that are under way
			all[len(all)-1].Open = false
		}
	} else if f, ok := fell(ofA, ofB, leftBytes, leftFall, fewConfidence); ok && !writes &&
		f.perA-f.perB >= leastBytes {
		less(record.CaveatLeaves, "it leaves %s fewer bytes in its files", f)
	}
	if f, ok := childrenFell(a, ofA, ofB); ok {
		all = append(all, &record.Caveat{Name: record.CaveatChildren,
			Text: fmt.Sprintf("its short-lived children use %s less CPU time", f.percent()), Open: true,
			Detail: fmt.Sprintf("%s per request, A %s", units.Nanos(f.perB), units.Nanos(f.perA))})
	}
	read := func(m timed.BytesMoved) float64 { return m.Read }
	if f, ok := fell(ofA, ofB, timedPer(read), readFall, caveatConfidence); ok && !writes &&
		f.perA-f.perB >= readBytes {
		less(record.CaveatReads, "it reads %s fewer bytes from files and other programs", f)
		all[len(all)-1].Open = false // what is read again and again may well be kept
	}
	return all
}

// destination says where A's bytes went, as far as disks and files tell.
func destination(ofA []*timed.Effects) string {
	var kept []float64
	for _, e := range ofA {
		at := e.Timed.Stored / float64(e.Answered)
		if e.Whole != nil {
			at = max(at, leftBytes(e))
		}
		kept = append(kept, at-timedPer(func(m timed.BytesMoved) float64 { return m.Written })(e)/2)
	}
	if m, err := stats.Median(kept); err == nil && m >= 0 {
		return "files"
	}
	return "files and other programs"
}

// leftBytes is what stands in a start's own directories at its end; NaN where it is not known.
func leftBytes(e *timed.Effects) float64 {
	if e.Whole == nil || e.Whole.Left.More || e.Whole.Answered == 0 {
		return math.NaN()
	}
	return float64(e.Whole.Left.Bytes) / float64(e.Whole.Answered)
}

// storesNowhere: A's bytes get to a disk, and of as many of B's next to nothing does.
func storesNowhere(ofA, ofB []*timed.Effects) (fall, bool) {
	stored := func(m timed.BytesMoved) float64 { return m.Stored }
	f, ok := fell(ofA, ofB, timedPer(stored), storedFall, caveatConfidence)
	if !ok || f.perA-f.perB < leastBytes || late(ofA, ofB, stored) {
		return f, false
	}
	var written []float64
	for _, e := range ofB {
		written = append(written, (e.Timed.Written+e.Timed.Output)/float64(e.Answered))
	}
	m, err := stats.Median(written)
	return f, err == nil && f.perB <= nowhere*m
}

// storesLater: A asks disks for far more than it writes, since it has pages written again and again (fsync), and B asks
// for as much as it writes: nothing of that is durable when it answers. Requests that share an fsync do the same, down
// to a page for all that are under way.
func storesLater(ofA, ofB []*timed.Effects) (fall, bool) {
	f, ok := fell(ofA, ofB, timedPer(func(m timed.BytesMoved) float64 { return m.Stored }), laterFall, caveatConfidence)
	if !ok || f.perA < leastSynced {
		return f, false
	}
	var again []float64 // times that a byte was stored, of A
	for _, e := range ofA {
		again = append(again, e.Timed.Stored/max(1, e.Timed.Written+e.Timed.Output))
	}
	m, err := stats.Median(again)
	return f, err == nil && m >= storedAgain
}

// childrenFell: A has a good part of its work done by children that live for a moment, and B does not.
func childrenFell(a *timed.Load, ofA, ofB []*timed.Effects) (fall, bool) {
	children := func(e *timed.Effects) float64 { return float64(e.Children) / float64(e.Answered) }
	f, ok := fell(ofA, ofB, children, childrenFall, caveatConfidence)
	return f, ok && f.perA >= caveatShare*cpuPerRequest(blockTotals(a.Samples))
}

// byTheClock: what is written is written by time, as statistics each second are, so that who answers more writes less
// per request. It goes on while the other variant is loaded, and A and B write as much per second.
func byTheClock(ofA, ofB []*timed.Effects) bool {
	var apart, idle []float64
	for i := range ofA {
		all := func(e *timed.Effects) float64 { return max(1, e.Timed.Written+e.Timed.Output) }
		a, b := ofA[i], ofB[i]
		apart = append(apart, math.Abs(math.Log(all(b)/float64(max(1, b.Wall))/(all(a)/float64(max(1, a.Wall))))))
		if between := a.Wall - a.Loaded; between > 0 && a.Loaded > 0 {
			in, out := max(1, a.Sliced.Written)/a.Loaded.Seconds(), (all(a)-a.Sliced.Written)/between.Seconds()
			idle = append(idle, out/in)
		}
	}
	distance, err1 := stats.Median(apart)
	rest, err2 := stats.Median(idle)
	return err1 == nil && err2 == nil && distance <= evenRate && rest >= lateShare
}

// late: the bytes that B's load lacks come when the load is over, as those of a buffer do that is flushed at the end.
func late(ofA, ofB []*timed.Effects, of func(timed.BytesMoved) float64) bool {
	var shares []float64
	for i := range ofA {
		a, b := ofA[i], ofB[i]
		if a.Whole == nil || b.Whole == nil {
			continue
		}
		perA, perB := timedPer(of)(a), timedPer(of)(b)
		missing := (perA - perB) * float64(b.Answered)
		rest := func(e *timed.Effects) (bytes, answered float64) {
			return of(e.Whole.Moved) - of(e.Timed), float64(e.Whole.Answered) - float64(e.Answered)
		}
		restA, answeredA := rest(a)
		restB, answeredB := rest(b)
		if missing > 0 {
			shares = append(shares, (restB-restA-perA*(answeredB-answeredA))/missing)
		}
	}
	m, err := stats.Median(shares)
	return err == nil && m >= lateShare
}
