package ledger

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"time"

	"github.com/gohone/hone/internal/text/fail"
)

// Slice is a short stretch of load of a run.
type Slice struct {
	// Index counts the run's slices from 0.
	Index int `json:"index"`
	// Block is the start of the process that it measured, Pair the pair that it is one half
	// of, or a part of one half; First says whether it ran before that of the other half.
	Block int  `json:"block"`
	Pair  int  `json:"pair"`
	First bool `json:"first"`
	// Start counts from the beginning of the run.
	Start    time.Duration `json:"start_ns"`
	Duration time.Duration `json:"duration_ns"`

	Scheduled  uint64 `json:"scheduled"`
	Sent       uint64 `json:"sent"`
	Answered   uint64 `json:"answered"`
	Failed     uint64 `json:"failed"`
	Unanswered uint64 `json:"unanswered"`

	// CPU is the subject's CPU time; Reads and Writes its read and write calls.
	CPU    time.Duration `json:"cpu_ns"`
	Reads  uint64        `json:"reads"`
	Writes uint64        `json:"writes"`
	// WorkerCPU is the generator's CPU time, WorkerWall the wall time it had.
	WorkerCPU  time.Duration `json:"worker_cpu_ns"`
	WorkerWall time.Duration `json:"worker_wall_ns"`
	// Stalled and Live count connections at the end.
	Stalled int `json:"stalled"`
	Live    int `json:"live"`
	// Build says which of the variant's builds, that differ in their layout only, ran.
	Build int `json:"build,omitempty"`
	// Conditions are what the machine did meanwhile.
	Conditions Conditions `json:"conditions,omitzero"`
	// Latency is an HDR histogram of nanoseconds in the V2 encoding; the ledger does
	// not look inside.
	Latency []byte `json:"latency,omitempty"`
}

// sliceBytes is the most that a slice takes as JSON without its histogram: see TestSliceBytes.
const sliceBytes = 1200

// Slices returns the slices of the run with this id or prefix, by index. Of a run that has not
// ended they are those that are whole on the disk.
func (l *Ledger) Slices(run string) ([]Slice, error) {
	r, err := l.runEntry(run)
	if err != nil {
		return nil, err
	}
	all, err := l.slicesOf(r)
	return all, l.unreadSlices(r, err)
}

// SliceBytes returns the slices of a record that has ended, for an archive; nil if it has none.
func (l *Ledger) SliceBytes(r *Record) ([]byte, error) {
	data, err := readSlices(l.home, r)
	return data, l.unreadSlices(r, err)
}

// unreadSlices explains why the slices of a run cannot be read.
func (l *Ledger) unreadSlices(r *Record, err error) error {
	if errors.Is(err, errDamaged) || errors.Is(err, fs.ErrNotExist) {
		return fail.New(fail.Storage, "read slices of %v: file %s: %w", r.Ref(), l.home.Join(slicesName(r.Run.ID)),
			err).
			WithHint("put the file back from a backup; or %s", repairHint)
	}
	return storage(l.dir, err, "read slices of %v", r.Ref())
}

func (l *Ledger) slicesOf(r *Record) (all []Slice, err error) {
	if !r.ended() {
		all, _, err = readWholeSlices(l.home, r.Run.ID)
	} else if data, fault := readSlices(l.home, r); fault != nil {
		return nil, fault
	} else {
		all, err = decodeSlices(r.Run.ID, data, r.Slices.Count)
	}
	slices.SortFunc(all, func(a, b Slice) int { return cmp.Compare(a.Index, b.Index) })
	return all, err
}

// checkIndices refuses slices of which two have one index.
func checkIndices(all []Slice) error {
	seen := map[int]bool{}
	for _, s := range all {
		if seen[s.Index] {
			return fmt.Errorf("slice %d is there twice", s.Index)
		}
		seen[s.Index] = true
	}
	return nil
}
