package ledger

import (
	"errors"

	"github.com/gohone/hone/internal/sys/diskroom"
	"github.com/gohone/hone/internal/sys/storedir"
)

// roomBytes is what storing takes however few the slices are: the record and the blocks of the file system that are not
// full.
const roomBytes = 128 << 10

// HoldSlices keeps room on the disk for so many slices and the bytes of their histograms,
// until AddSlices or Finish. It says at once what would go wrong later: that the disk is
// full (ErrFull), a quota used up, the file system read-only or broken. It takes no longer
// than a write to the page cache.
func (d *Draft) HoldSlices(slices, histogramBytes int) error {
	l, need := d.pending.l, slices*(sliceBytes+2)+histogramBytes
	d.roomMu.Lock()
	defer d.roomMu.Unlock()
	var err error
	if d.room == nil {
		need += roomBytes
		d.room, err = makeRoom(l.home)
	}
	all := uint64(need)
	if err == nil {
		all += uint64(d.room.Held())
		err = d.room.Hold(need)
	}
	return storageNeed(l.dir, all, err, "keep room for the results of run %s", d.ID())
}

// giveRoom gives back the room for slices.
func (d *Draft) giveRoom() error {
	d.roomMu.Lock()
	defer d.roomMu.Unlock()
	if d.room == nil {
		return nil
	}
	err := d.room.Close()
	d.room = nil
	return err
}

// makeRoom makes a room in the directory of the ledger.
func makeRoom(home *storedir.Dir) (*diskroom.Room, error) {
	f, name, err := home.CreateTemp("tmp", "room-")
	if err != nil {
		return nil, err
	}
	if err := home.RemoveAll(name); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return diskroom.Of(f), nil
}
