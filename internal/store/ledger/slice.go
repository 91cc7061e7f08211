package ledger

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"github.com/gohone/hone/internal/store/packed"
	"github.com/gohone/hone/internal/text/fail"
)

// sliceBytes is the most that a slice takes as JSON without its histograms: see TestSliceBytes.
const sliceBytes = 2400

// Slices returns the slices of the run with this id or prefix, by index. Of a run that has not
// ended they are those that are whole on the disk.
func (l *Ledger) Slices(run string) ([]packed.Slice, error) {
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

func (l *Ledger) slicesOf(r *Record) (all []packed.Slice, err error) {
	if !r.ended() {
		all, _, err = readWholeSlices(l.home, r.Run.ID)
	} else if data, fault := readSlices(l.home, r); fault != nil {
		return nil, fault
	} else {
		all, err = decodeSlices(r.Run.ID, data, r.Slices.Count)
	}
	slices.SortFunc(all, func(a, b packed.Slice) int { return cmp.Compare(a.Index, b.Index) })
	return all, err
}

// checkIndices refuses slices of which two have one index.
func checkIndices(all []packed.Slice) error {
	seen := map[int]bool{}
	for _, s := range all {
		if seen[s.Index] {
			return fmt.Errorf("slice %d is there twice", s.Index)
		}
		seen[s.Index] = true
	}
	return nil
}
