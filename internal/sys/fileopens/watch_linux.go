package fileopens

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"golang.org/x/sys/unix"
)

// Watch notes what is opened from New on.
type Watch struct {
	fd     int
	paths  map[int32][]string // by watch; two paths of one file have one watch
	opened []string
}

// New begins to watch files and directories. A path that does not exist is left out. Of a directory only its own
// opening counts, as for a list of its files.
func New(paths []string) (w *Watch, err error) {
	w = &Watch{paths: map[int32][]string{}}
	if w.fd, err = unix.InotifyInit1(unix.IN_NONBLOCK | unix.IN_CLOEXEC); err != nil {
		return nil, fmt.Errorf("watch files: %w", err)
	}
	for _, path := range paths {
		id, err := unix.InotifyAddWatch(w.fd, path, unix.IN_OPEN)
		switch {
		case errors.Is(err, fs.ErrNotExist), errors.Is(err, unix.ENOTDIR):
		case err != nil:
			return nil, errors.Join(fmt.Errorf("watch %s: %w", path, err), w.Close())
		default:
			w.paths[int32(id)] = append(w.paths[int32(id)], path)
		}
	}
	return w, nil
}

// Opened are the paths that have been opened, in their order; all of them where the kernel has lost count.
func (w *Watch) Opened() ([]string, error) {
	buffer := make([]byte, 64<<10)
	for {
		n, err := unix.Read(w.fd, buffer)
		switch {
		case errors.Is(err, unix.EINTR):
			continue
		case errors.Is(err, unix.EAGAIN):
			slices.Sort(w.opened)
			w.opened = slices.Compact(w.opened)
			return w.opened, nil
		case err != nil:
			return nil, fmt.Errorf("read what was opened: %w", err)
		}
		w.note(buffer[:n])
	}
}

// note takes struct inotify_event after struct inotify_event.
func (w *Watch) note(events []byte) {
	for len(events) >= unix.SizeofInotifyEvent {
		id, mask := int32(binary.NativeEndian.Uint32(events)), binary.NativeEndian.Uint32(events[4:])
		name := int(binary.NativeEndian.Uint32(events[12:]))
		events = events[min(len(events), unix.SizeofInotifyEvent+name):]
		switch {
		case mask&unix.IN_Q_OVERFLOW != 0:
			for _, paths := range w.paths {
				w.opened = append(w.opened, paths...)
			}
		case mask&unix.IN_OPEN != 0 && name == 0: // with a name it is of a file in a directory
			w.opened = append(w.opened, w.paths[id]...)
		}
	}
}

// Close ends the watch.
func (w *Watch) Close() error { return unix.Close(w.fd) }
