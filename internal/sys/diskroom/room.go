// Package diskroom reserves disk space for what will be written later. A measurement stores
// its results when its load has ended. With space reserved for them, a disk that fills up
// is noticed within a slice, and the results still fit.
package diskroom

import (
	"fmt"
	"os"
)

// Room is space of a disk, held by a file that has no name. So nothing is left of it when
// the process ends, however it ends. A Room is not safe for use by several goroutines at once.
type Room struct {
	f    *os.File
	held int64
}

// Of makes a room without space from an empty file that is open for writing and whose name
// is removed. The room closes the file.
func Of(f *os.File) *Room { return &Room{f: f} }

// Make makes a room without space on the file system of a directory.
func Make(dir string) (*Room, error) {
	f, err := os.CreateTemp(dir, ".room-")
	if err != nil {
		return nil, err
	}
	if err := os.Remove(f.Name()); err != nil {
		f.Close()
		return nil, err
	}
	return Of(f), nil
}

// Hold holds n more bytes. The error is what the system says to a write: that the disk is
// full (ENOSPC), a quota used up (EDQUOT), the file system read-only (EROFS) or broken (EIO).
// What was held before stays held.
func (r *Room) Hold(n int) error {
	if n <= 0 {
		return nil
	}
	// Real bytes: a file with a hole in it holds nothing.
	wrote, err := r.f.WriteAt(make([]byte, n), r.held)
	r.held += int64(wrote)
	return err
}

// Held is how many bytes are held.
func (r *Room) Held() int64 { return r.held }

// Release gives the space back. The room can hold anew.
func (r *Room) Release() error {
	if r.held == 0 {
		return nil
	}
	r.held = 0
	if err := r.f.Truncate(0); err != nil {
		return fmt.Errorf("give back room on the disk: %w", err)
	}
	return nil
}

// Close gives the space back for good.
func (r *Room) Close() error { return r.f.Close() }
