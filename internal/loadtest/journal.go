package loadtest

import (
	"errors"
	"fmt"

	"github.com/gohone/hone/internal/recording"
	"github.com/gohone/hone/load"
)

// journal keeps a recording in memory and, if a file is asked for, on disk as well,
// slice by slice.
type journal struct {
	rec   *recording.Recording
	file  *recording.File // nil: none
	tally load.Tally      // without histograms
}

func (t *test) journal(h recording.Header) (*journal, error) {
	j := &journal{rec: recording.New(h)}
	if t.request.Output == "" {
		return j, nil
	}
	var err error
	j.file, err = recording.Create(t.request.Output, h)
	return j, err
}

// slice adds a slice. An error is one of the disk, and the slice is kept in memory.
func (j *journal) slice(s load.Slice) error {
	bare := s
	bare.Service, bare.Response, bare.Lag, bare.Age, bare.FailedLatency = nil, nil, nil, nil, nil
	j.tally.Add(bare)
	if err := j.rec.Add(s); err != nil {
		return err
	}
	if j.file == nil {
		return nil
	}
	return j.file.Packed(j.rec.Slices[len(j.rec.Slices)-1])
}

// note adds a remark for the reader.
func (j *journal) note(format string, args ...any) {
	j.rec.Header.Notes = append(j.rec.Header.Notes, fmt.Sprintf(format, args...))
}

// close judges the recording and finishes the file. lost is what ended the load early:
// then the partial file stays as it is.
func (j *journal) close(final recording.Final, r Request, lost error) (*recording.Recording, error) {
	final.Counts = j.tally.Counts
	j.rec.Final = final
	j.rec.Final.Doubts = judge(j.rec, r)
	j.rec.Final.Thresholds = Apply(r.FailIf, j.rec)
	switch {
	case j.file == nil:
	case lost != nil:
		return j.rec, errors.Join(lost, j.file.Abandon())
	default:
		return j.rec, j.file.Close(j.rec.Final)
	}
	return j.rec, lost
}
