package series

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/gohone/hone/internal/sys/filelock"
	"github.com/gohone/hone/internal/text/fail"
)

// Dir is a store in a directory: a file of lines for each branch and subject, and a folder of reports. Writers take
// turns by a lock, which ends with its process. Readers need none, and no right to write.
//
// Files and directories get the modes of the umask, since several users may share the directory.
type Dir struct {
	path    string
	segment int64
}

var _ Store = (*Dir)(nil)

// OpenDir returns the store at a path, which is made by the first Append.
func OpenDir(path string) *Dir { return &Dir{path: path, segment: segmentBytes} }

// String names the directory.
func (d *Dir) String() string { return d.path }

const (
	lockFile = ".lock"
	// lockPoll is how often a writer asks again for the lock: short against an fsync, long against the 1 us of a try.
	lockPoll = 5 * time.Millisecond
)

// Append writes reports first, so that no point names one that is not there.
func (d *Dir) Append(ctx context.Context, points []Point, reports map[string][]byte) error {
	chunks, err := encodeAll(points)
	if err == nil {
		err = checkReports(reports)
	}
	if err != nil || len(chunks) == 0 && len(reports) == 0 {
		return err
	}
	if err := os.MkdirAll(d.path, 0o777); err != nil {
		return d.explain(err)
	}
	root, err := os.OpenRoot(d.path)
	if err != nil {
		return d.explain(err)
	}
	defer root.Close()
	unlock, err := d.lock(ctx, root)
	if err != nil {
		return err
	}
	defer unlock()
	if err := writeReports(root, reports); err != nil {
		return d.explain(err)
	}
	additions, err := plan(ctx, chunks, dirFiles{root}, d.segment)
	if err == nil {
		err = writeAll(root, additions)
	}
	return d.explain(err)
}

// Read reads without the lock: what another process is writing shows as a last line without an end.
func (d *Dir) Read(ctx context.Context) (Content, error) {
	root, err := os.OpenRoot(d.path)
	if errors.Is(err, fs.ErrNotExist) {
		return Content{}, nil
	}
	if err != nil {
		return Content{}, d.explain(err)
	}
	defer root.Close()
	content, err := read(ctx, dirFiles{root})
	return content, d.explain(err)
}

// Report reads a report.
func (d *Dir) Report(ctx context.Context, name string) ([]byte, error) {
	if err := errors.Join(ctx.Err(), checkReport(name)); err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(d.path)
	if err != nil {
		return nil, d.explain(err)
	}
	defer root.Close()
	in, err := openFile(root, path.Join(reportsDir, name), os.O_RDONLY)
	if err != nil {
		return nil, d.explain(err)
	}
	return readReport(name, in)
}

// explain says of which store an error is.
func (d *Dir) explain(err error) error {
	var known *fail.Error
	if err == nil || errors.As(err, &known) || errors.Is(err, context.Canceled) ||
		errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return fail.New(fail.Or(fail.Storage, err), "series in %s: %w", d.path, err).WithHint("%s", fail.HintOf(err))
}

// lock waits for the lock of the writers.
func (d *Dir) lock(ctx context.Context, root *os.Root) (unlock func(), err error) {
	f, err := openFile(root, lockFile, os.O_RDWR|os.O_CREATE)
	if err != nil {
		return nil, d.explain(err)
	}
	for {
		err := filelock.Try(f)
		switch {
		case err == nil:
			return func() { f.Close() }, nil
		case errors.Is(err, errors.ErrUnsupported):
			f.Close()
			return nil, fail.New(fail.Environment, "series in %s: this system has no lock of files that hone knows",
				d.path).WithHint("write the series on Linux or macOS, or to %s", branchPrefix)
		case !errors.Is(err, filelock.ErrHeld):
			f.Close()
			return nil, d.explain(err)
		}
		select {
		case <-ctx.Done():
			f.Close()
			return nil, fmt.Errorf("series in %s: wait for another writer: %w", d.path, context.Cause(ctx))
		case <-time.After(lockPoll):
		}
	}
}

// writeAll adds to all files, or, where the disk is full, to none. The caller holds the lock.
func writeAll(root *os.Root, additions []addition) (err error) {
	type undo struct {
		file *os.File
		size int64
	}
	var done []undo
	defer func() {
		for _, u := range done {
			if err != nil {
				err = errors.Join(err, u.file.Truncate(u.size))
			}
			err = errors.Join(err, u.file.Close())
		}
	}()
	for _, add := range additions {
		f, err := openFile(root, add.file, os.O_RDWR|os.O_CREATE|os.O_APPEND)
		if err != nil {
			return err
		}
		info, err := f.Stat()
		if err != nil {
			return errors.Join(err, f.Close())
		}
		done = append(done, undo{f, info.Size()})
		lines := add.lines
		if add.torn && len(lines) > 0 { // the broken line ends here, and harms none that follows
			lines = slices.Concat([]byte("\n"), lines)
		}
		if _, err := f.Write(lines); err != nil {
			return err
		}
	}
	for _, u := range done {
		if err := u.file.Sync(); err != nil {
			return err
		}
	}
	if len(done) > 0 {
		return syncDir(root, ".") // a file may be new, also one that a killed writer made
	}
	return nil
}

// writeReports writes the reports that are not there, each whole or not at all.
func writeReports(root *os.Root, reports map[string][]byte) error {
	if len(reports) == 0 {
		return nil
	}
	if err := root.Mkdir(reportsDir, 0o777); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(reports)) {
		if err := writeReport(root, path.Join(reportsDir, name), reports[name]); err != nil {
			return err
		}
	}
	return errors.Join(syncDir(root, reportsDir), syncDir(root, "."))
}

func writeReport(root *os.Root, name string, content []byte) error {
	in, err := openFile(root, name, os.O_RDONLY)
	if err == nil {
		there, err := readReport(name, in)
		if err == nil && string(there) != string(content) {
			err = errOtherReport(name)
		}
		return err
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	temp := path.Join(reportsDir, ".new-"+rand.Text())
	f, err := root.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	_, err = f.Write(content)
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err == nil {
		err = root.Rename(temp, name)
	}
	if err != nil {
		return errors.Join(err, root.Remove(temp))
	}
	return nil
}

// dirFiles are the files with points of a directory.
type dirFiles struct{ root *os.Root }

func (d dirFiles) files() (all []string, err error) {
	entries, err := fs.ReadDir(d.root.FS(), ".")
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), suffix) {
			all = append(all, e.Name())
		}
	}
	return all, nil
}

func (d dirFiles) open(_ context.Context, name string) (io.ReadCloser, error) {
	return openFile(d.root, name, os.O_RDONLY)
}
