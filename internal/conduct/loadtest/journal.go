package loadtest

import (
	"errors"
	"time"

	"github.com/gohone/hone/internal/store/packed"
	"github.com/gohone/hone/internal/store/recording"
	"github.com/gohone/hone/load"
)

// journal keeps a recording in memory and, if a file is asked for, on disk as well,
// slice by slice. It puts short slices together, so that a long test does not take ever
// more memory.
type journal struct {
	rec   *recording.Recording
	file  *recording.File // nil: none
	tally load.Tally      // without histograms
	pace  pace
	last  *load.Slice // still growing; nil: none
	each  func(packed.Slice)
}

// pace says how long the slices of a recording are.
type pace struct {
	// every is the length of a slice at least, double how many slices are kept of one
	// length before it doubles; 0 means that it stays.
	every  time.Duration
	double int
}

const (
	// keptSlices is how many slices a test of known length is cut into: enough for a
	// chart, and at 10 kB each no burden.
	keptSlices = 120
	// shortest is the length of a slice unless the user asks for shorter ones.
	shortest = time.Second
)

// paceOf is the pace for a schedule; interval is the user's own choice, 0 for none.
func paceOf(s load.Schedule, interval time.Duration) pace {
	switch length := s.Length(); {
	case interval > 0:
		return pace{every: interval}
	case length == 0 || s.Requests > 0:
		return pace{every: shortest, double: keptSlices}
	default:
		return pace{every: max(shortest, (length / keptSlices).Round(shortest))}
	}
}

func (t *test) journal(h recording.Header) (*journal, error) {
	j := &journal{rec: recording.New(h), pace: paceOf(h.Schedule, t.task.Interval)}
	if t.task.File == "" {
		return j, nil
	}
	var err error
	j.file, err = recording.Create(t.task.File, h)
	return j, err
}

// slice adds a slice. An error is one of the disk, and the slice is kept in memory.
func (j *journal) slice(s load.Slice) error {
	j.tally.Add(s.Bare())
	if j.last != nil && j.last.Stage == s.Stage {
		j.last.Extend(s)
	} else {
		if err := j.keep(); err != nil {
			return err
		}
		j.last = &s
	}
	if j.last.Duration < j.pace.every-j.pace.every/10 { // slices are seldom to the point
		return j.hold()
	}
	return j.keep()
}

// heldBytes is the room on the disk that each tick holds for the slice that is growing: of a
// slice of about 10 kB a good part, and a block of the file system at least.
const heldBytes = 4 << 10

// hold keeps room on the disk for the slice that is growing.
func (j *journal) hold() error {
	if j.file == nil {
		return nil
	}
	return j.file.Hold(heldBytes)
}

// tick is how long the slices that the engine hands over shall be: short enough for a
// live display.
func (j *journal) tick() time.Duration { return min(j.pace.every, shortest) }

// keep ends the slice that is growing.
func (j *journal) keep() error {
	if j.last == nil {
		return nil
	}
	s := *j.last
	j.last = nil
	if err := j.rec.Add(s); err != nil {
		return err
	}
	n := len(j.rec.Slices)
	if j.each != nil {
		j.each(j.rec.Slices[n-1])
	}
	if j.pace.double > 0 && n%j.pace.double == 0 {
		j.pace.every *= 2
	}
	if j.file == nil {
		return nil
	}
	return j.file.Slice(j.rec.Slices[n-1])
}

// close judges the recording and finishes the file. lost is what ended the load early:
// then the partial file stays as it is.
func (j *journal) close(final recording.Final, r Task, lost error) (*recording.Recording, error) {
	if kept := j.keep(); lost == nil {
		lost = kept
	}
	final.Counts = j.tally.Counts
	j.rec.Final = final
	tally := j.rec.Tally() // unpacks every slice: once is enough
	j.rec.Final.Doubts = doubtsOf(j.rec, tally, r)
	j.rec.Final.Thresholds = Apply(r.FailIf, j.rec.Header.Targets, tally)
	switch {
	case j.file == nil:
	case lost != nil:
		return j.rec, errors.Join(lost, j.file.Abandon())
	default:
		return j.rec, j.file.Close(j.rec.Final)
	}
	return j.rec, lost
}
