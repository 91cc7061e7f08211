package recording

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"github.com/gohone/hone/internal/store/packed"
	"github.com/gohone/hone/internal/sys/diskroom"
	"github.com/gohone/hone/internal/sys/outfile"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/units"
)

// File is a recording that is being written to disk. It grows under a name of its own
// beside the final one, so that a crash leaves what was there and an earlier recording
// of the same name stays whole until the new one is.
type File struct {
	path, partial string
	f             *os.File
	w             *Writer
	room          *diskroom.Room // for the slice that comes next; nil: none is held
	ended         bool
}

// maxPartials is how many partial files of crashed tests may stand beside a recording.
const maxPartials = 100

// Create begins the recording at path. Errors are of kind fail.Storage; the file at path
// is not touched before Close. A device or a pipe is written to as it is.
func Create(path string, h Header) (*File, error) {
	out := &File{path: path}
	if err := out.open(); err != nil {
		return nil, out.storage(err, "create recording")
	}
	var err error
	if out.w, err = NewWriter(out.f, h); err != nil {
		err = errors.Join(out.storage(err, "begin recording"), out.f.Close())
		if !out.inPlace() {
			err = errors.Join(err, os.Remove(out.partial))
		}
		return nil, err
	}
	return out, nil
}

// open opens what the recording grows in. It has the mode of the file that it will replace.
func (f *File) open() (err error) {
	if outfile.Special(f.path) {
		f.partial = f.path
		f.f, err = os.OpenFile(f.path, os.O_WRONLY, 0)
		return err
	}
	for i := 1; i <= maxPartials; i++ {
		f.partial = f.path + ".partial"
		if i > 1 {
			f.partial = fmt.Sprintf("%s.%d.partial", f.path, i)
		}
		f.f, err = os.OpenFile(f.partial, os.O_WRONLY|os.O_CREATE|os.O_EXCL, outfile.Private)
		if !errors.Is(err, fs.ErrExist) {
			break
		}
	}
	if err != nil {
		return err
	}
	return f.f.Chmod(outfile.ModeFor(f.path, outfile.Private))
}

// inPlace says that the recording has its final name from the start.
func (f *File) inPlace() bool { return f.partial == f.path }

// Slice adds a slice. Once it is written it survives the death of this process, though not
// yet that of the machine.
func (f *File) Slice(s packed.Slice) error {
	return f.storage(errors.Join(f.giveRoom(), f.w.Slice(s)), "write recording")
}

// Hold keeps n more bytes of the disk for the slice that is growing, until it is written. A
// slice may take minutes to come: so a disk that is full shows at once. For a device or a
// pipe nothing is kept.
func (f *File) Hold(n int) error {
	if f.inPlace() {
		return nil
	}
	var err error
	if f.room == nil {
		f.room, err = diskroom.Make(filepath.Dir(f.path))
	}
	if err == nil {
		err = f.room.Hold(n)
	}
	return f.storage(err, "keep room for recording")
}

// giveRoom gives back what Hold has kept.
func (f *File) giveRoom() error {
	if f.room == nil {
		return nil
	}
	err := f.room.Close()
	f.room = nil
	return err
}

// Close writes the final account, makes sure that all is on the disk and gives the file
// its final name. If that goes wrong, the partial file stays and the error names it.
func (f *File) Close(final Final) error {
	if f.ended {
		return fs.ErrClosed
	}
	f.ended = true
	err := errors.Join(f.giveRoom(), f.w.Close(final))
	if f.inPlace() {
		return f.storage(errors.Join(err, f.f.Close()), "finish recording")
	}
	if err == nil {
		err = f.f.Sync()
	}
	if err = errors.Join(err, f.f.Close()); err == nil {
		err = os.Rename(f.partial, f.path)
	}
	if err == nil {
		err = syncDir(filepath.Dir(f.path))
	}
	return f.storage(err, "finish recording")
}

// Abandon ends the writing and leaves the partial file, which can be read. After Close
// it does nothing, so that it can be deferred.
func (f *File) Abandon() error {
	if f.ended {
		return nil
	}
	f.ended = true
	return f.storage(errors.Join(f.giveRoom(), f.f.Close()), "leave recording")
}

// syncDir makes the names in a directory safe.
func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}

// storage turns err into an error that says what was kept and how to go on. An error that
// is a fail.Error already passes.
func (f *File) storage(err error, what string) error {
	var known *fail.Error
	if err == nil || errors.As(err, &known) {
		return err
	}
	dir := filepath.Dir(f.path)
	switch {
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		return f.full(err, what, dir)
	case errors.Is(err, fs.ErrNotExist):
		return fail.New(fail.Storage, "%s %s: no such directory: %w", what, f.path, err).
			WithHint("mkdir -p %s", dir)
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		return fail.New(fail.Storage, "%s %s: no permission to write there: %w", what, f.path, err).
			WithHint("choose a file in a directory that you may write to")
	}
	return fail.New(fail.Storage, "%s %s: %w", what, f.path, err)
}

// full says how much room is needed: a recording grows with its slices, so the least is
// the size of what did not fit.
func (f *File) full(err error, what, dir string) error {
	var written int64
	if f.w != nil {
		written = f.w.bytes
	}
	free := ""
	if n, err := diskroom.Free(dir); err == nil {
		free = ", " + units.Bytes(float64(n)) + " free"
	}
	return fail.New(fail.Storage, "%s %s: disk full after %s: at least %s more needed%s: %w",
		what, f.path, units.Bytes(float64(written)), units.Bytes(float64(max(written, leastRoom))), free, err).
		WithHint("free space on the file system of %s and repeat the test; what was measured so far is in %s", dir,
			f.partial)
}

// leastRoom is what a recording of a few slices takes, in bytes.
const leastRoom = 64 << 10
