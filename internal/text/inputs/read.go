package inputs

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strconv"
	"syscall"
	"time"
)

// TooLarge is the error for an input over its bound. Package fail takes it as bad input, with its next step as hint.
type TooLarge struct {
	Bound
	// Name is the file or the address; "" if there is none.
	Name string
	// Size is how much there is; 0: more than the bound, which is all that is known.
	Size int64
}

func (e *TooLarge) Error() string {
	name := ""
	if e.Name != "" {
		name = e.Name + ": "
	}
	switch {
	case e.Unit == Seconds:
		return fmt.Sprintf("%sthe %s takes longer than %s", name, e.Input, e.Limit())
	case e.Size == 0:
		return fmt.Sprintf("%sthe %s has more than %s", name, e.Input, e.Limit())
	}
	return fmt.Sprintf("%sthe %s has %s, and at most %s are read", name, e.Input, e.amount(e.Size), e.Limit())
}

// NextStep is what to do with an input that is larger: a hint of package fail.
func (e *TooLarge) NextStep() string { return e.Next }

// Limit writes the bound with its unit.
func (b Bound) Limit() string { return b.amount(b.Most) }

func (b Bound) amount(n int64) string {
	if b.Unit == Bytes {
		for _, u := range []struct {
			name string
			size int64
		}{{"GiB", 1 << 30}, {"MiB", 1 << 20}, {"KiB", 1 << 10}} {
			if n >= u.size {
				return strconv.FormatFloat(float64(n*10/u.size)/10, 'f', -1, 64) + " " + u.name
			}
		}
	}
	digits := strconv.FormatInt(n, 10)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits + " " + string(b.Unit)
}

// Over is the error for the size of an input, nil if the bound allows it. What is counted is counted no further than
// that.
func (b Bound) Over(name string, size int64) error {
	if size <= b.Most {
		return nil
	}
	if b.Unit != Bytes {
		size = 0
	}
	return &TooLarge{Bound: b, Name: name, Size: size}
}

// Beyond is the error for an input of which more than the bound came.
func (b Bound) Beyond(name string) error { return &TooLarge{Bound: b, Name: name} }

// Reader passes on what r has up to the bound, and fails with a *TooLarge after it.
func (b Bound) Reader(name string, r io.Reader) io.Reader {
	return &reader{bound: b, name: name, r: r, left: &b.Most}
}

// reader passes on what is left of a bound.
type reader struct {
	bound Bound
	name  string
	r     io.Reader
	left  *int64 // bytes; -1 when one more was there
}

func (r *reader) Read(p []byte) (int, error) {
	if *r.left < 0 {
		return 0, r.bound.Beyond(r.name)
	}
	if int64(len(p)) > *r.left+1 {
		p = p[:*r.left+1] // one more, to see whether there is more
	}
	n, err := r.r.Read(p)
	if *r.left -= int64(n); *r.left < 0 {
		return n - 1, r.bound.Beyond(r.name)
	}
	return n, err
}

// ReadAll reads r up to the bound.
func (b Bound) ReadAll(name string, r io.Reader) ([]byte, error) {
	return io.ReadAll(b.Reader(name, r))
}

// ReadFile reads a file that the user names, as Open does.
func (b Bound) ReadFile(name string) ([]byte, error) {
	f, err := b.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var all bytes.Buffer
	if info, err := f.file.Stat(); err == nil && info.Mode().IsRegular() {
		all.Grow(int(info.Size()) + bytes.MinRead) // Open has compared it with the bound
	}
	_, err = all.ReadFrom(f)
	return all.Bytes(), err
}

// Open opens a file that the user names. A directory and a block device are refused, and a file that is larger than the
// bound before it is read. A pipe is read while a program writes to it; one without a writer does not block for ever.
func (b Bound) Open(name string) (*File, error) {
	file, err := os.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0) // of a pipe: do not wait here for its writer
	if err != nil {
		return nil, err
	}
	info, err := file.Stat()
	if err == nil {
		err = b.refusal(name, info)
	}
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	var from io.Reader = file
	if info.Mode()&fs.ModeNamedPipe != 0 {
		from = &pipe{file: file, name: name}
	}
	return &File{Reader: b.Reader(name, from), file: file}, nil
}

func (b Bound) refusal(name string, info fs.FileInfo) error {
	switch mode := info.Mode(); {
	case mode.IsDir():
		return &fs.PathError{Op: "read", Path: name, Err: syscall.EISDIR}
	case mode&fs.ModeDevice != 0 && mode&fs.ModeCharDevice == 0:
		return fmt.Errorf("%s is a disk, and no file", name)
	case mode.IsRegular() && b.Unit == Bytes:
		return b.Over(name, info.Size())
	}
	return nil
}

// OpenRegular opens a file that is read more than once, and says its size: it is refused if it is not a regular file.
func (b Bound) OpenRegular(name string) (file *os.File, size int64, err error) {
	if file, err = os.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0); err != nil {
		return nil, 0, err
	}
	info, err := file.Stat()
	if err == nil {
		err = b.refusal(name, info)
	}
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("%s is read more than once, and is not a regular file", name)
	}
	if err != nil {
		return nil, 0, errors.Join(err, file.Close())
	}
	return file, info.Size(), nil
}

// File is an open file whose bytes are bounded.
type File struct {
	io.Reader
	file *os.File
}

// Close closes the file.
func (f *File) Close() error { return f.file.Close() }

const (
	// writerWithin is how long a pipe may have no writer, and silence how long its writer may say nothing.
	writerWithin = 5 * time.Second
	silence      = time.Minute
	// again is how often a pipe without a writer is looked at.
	again = 10 * time.Millisecond
)

// pipe is a named pipe, or what a shell puts instead of <(COMMAND).
type pipe struct {
	file  *os.File
	name  string
	began bool // a byte has come
}

func (p *pipe) Read(to []byte) (int, error) {
	for until := time.Now().Add(writerWithin); ; time.Sleep(again) {
		_ = p.file.SetReadDeadline(time.Now().Add(silence)) // some systems have none for pipes
		n, err := p.file.Read(to)
		p.began = p.began || n > 0
		waiting := n == 0 && !p.began && errors.Is(err, io.EOF) || errors.Is(err, syscall.EAGAIN)
		switch {
		case !waiting && errors.Is(err, os.ErrDeadlineExceeded):
			return n, fmt.Errorf("read %s: nothing came from its writer for %v", p.name, silence)
		case !waiting:
			return n, err
		case time.Now().After(until):
			return 0, fmt.Errorf("read %s: no program writes to this pipe", p.name)
		}
	}
}
