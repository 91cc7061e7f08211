package output

import (
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"syscall"
	"time"
)

// Streams is what the subject has written so far.
type Streams struct {
	Stdout Stream `json:"stdout"`
	Stderr Stream `json:"stderr"`
}

// Stream is one of its streams: the beginning and the end, as far as the limit
// allows.
type Stream struct {
	Head []byte `json:"head"`
	Tail []byte `json:"tail"`
	// Written is the number of bytes written, Dropped the number of those between Head
	// and Tail that were not kept.
	Written uint64 `json:"seen"`
	Dropped uint64 `json:"dropped"`
	// Full is how often the pipe was found full: the subject had to wait for its reader.
	Full uint64 `json:"full"`
}

// String joins head and tail, with a line in between that says what was dropped.
func (s Stream) String() string {
	if s.Dropped == 0 {
		return string(s.Head) + string(s.Tail)
	}
	return fmt.Sprintf("%s\n[... %d bytes dropped ...]\n%s", s.Head, s.Dropped, s.Tail)
}

// ring keeps the first and the last bytes of a stream.
type ring struct {
	head    []byte
	tail    []byte // circular once full
	next    int    // where the next byte of tail goes, once it is full
	limit   int    // of head, and of tail
	written uint64
}

// NewRing keeps up to limit bytes, half of them from the start.
func NewRing(limit int) ring { return ring{limit: max(limit, 2) / 2} }

// Write never fails.
func (r *ring) Write(b []byte) (int, error) {
	all := len(b)
	r.written += uint64(all)
	if free := r.limit - len(r.head); free > 0 {
		n := min(free, len(b))
		r.head = append(r.head, b[:n]...)
		b = b[n:]
	}
	if len(b) > r.limit {
		b = b[len(b)-r.limit:]
	}
	if free := r.limit - len(r.tail); free > 0 {
		n := min(free, len(b))
		r.tail = append(r.tail, b[:n]...)
		b = b[n:]
	}
	for len(b) > 0 {
		n := copy(r.tail[r.next:], b)
		r.next = (r.next + n) % r.limit
		b = b[n:]
	}
	return all, nil
}

func (r *ring) Stream() Stream {
	s := Stream{Head: append([]byte{}, r.head...), Written: r.written}
	s.Tail = append(append([]byte{}, r.tail[r.next:]...), r.tail[:r.next]...)
	s.Dropped = s.Written - uint64(len(s.Head)+len(s.Tail))
	return s
}

// Pump empties one pipe of the subject for as long as the subject lives. A pipe that
// fills up would stop the subject, and a pump that wakes up for each line would take
// CPU from the load generator: so the pump lets the pipe gather for a moment between
// two rounds, and shortens that moment as soon as a round finds it half full.
type Pump struct {
	pipe *os.File
	raw  syscall.RawConn
	size int // of the pipe, bytes

	mu   sync.Mutex // of buf, kept and full: the owner may drain in mid-pause
	buf  []byte
	kept ring
	full uint64    // gulps that found a whole pipe
	Also io.Writer // gets everything too; may be nil

	hurry chan struct{} // closed by finish: no more pauses
	ended chan struct{}
}

// defaultPipe is the size of a pipe that was not widened, in bytes (pipe(7)).
const defaultPipe = 64 << 10

// patientRate sets the longest pause: a pipe of 1 MiB is left alone for 10 ms, one
// of 64 KiB for 0.6 ms. A subject that writes faster is noticed in the next round,
// before or just as the pipe fills.
const patientRate = 100e6 // bytes per second

// shortestPause is the pause below which pausing gains nothing: a timer costs as much.
const shortestPause = 100 * time.Microsecond

// NewPump returns the pump and the end of the pipe that the subject writes to.
func NewPump(limit int) (*Pump, *os.File, error) {
	r, w, err := os.Pipe()
	if err != nil {
		return nil, nil, fmt.Errorf("make pipe: %w", err)
	}
	raw, err := r.SyscallConn()
	if err != nil {
		r.Close()
		w.Close()
		return nil, nil, fmt.Errorf("read pipe: %w", err)
	}
	p := &Pump{
		pipe: r, raw: raw, size: widenPipe(w),
		buf: make([]byte, 64<<10), kept: NewRing(limit),
		hurry: make(chan struct{}), ended: make(chan struct{}),
	}
	return p, w, nil
}

// Abandon closes a pump that will not run.
func (p *Pump) Abandon() { p.pipe.Close() }

// Run reads until no process holds the other end, or until finish has lost patience.
func (p *Pump) Run() {
	defer close(p.ended)
	longest := time.Duration(float64(p.size) / patientRate * float64(time.Second))
	pause := longest
	for {
		n, err := p.round()
		if err != nil {
			return
		}
		switch {
		case n > p.size/2:
			pause /= 2
		case n < p.size/8:
			pause = min(longest, max(shortestPause, pause*2))
		}
		if pause < shortestPause {
			continue
		}
		select {
		case <-time.After(pause):
		case <-p.hurry:
			pause = 0
		}
	}
}

// round waits until there is something to read, and reads at most one pipe full.
func (p *Pump) round() (n int, err error) {
	waitErr := p.raw.Read(func(fd uintptr) bool {
		n, err = p.gulp(int(fd))
		return n > 0 || !errors.Is(err, syscall.EAGAIN)
	})
	if errors.Is(err, syscall.EAGAIN) {
		err = nil
	}
	if err == nil {
		err = waitErr
	}
	return n, err
}

// gulp reads without waiting, at most one pipe full. The error is EAGAIN if the pipe
// is empty now, and io.EOF if no process can write to it any more.
func (p *Pump) gulp(fd int) (n int, err error) {
	p.mu.Lock()
	defer func() {
		if n >= p.size {
			p.full++
		}
		p.mu.Unlock()
	}()
	for n < p.size {
		m, err := syscall.Read(fd, p.buf)
		switch {
		case err == syscall.EINTR:
			continue
		case err != nil:
			return n, err
		case m == 0:
			return n, io.EOF
		}
		_, _ = p.kept.Write(p.buf[:m])
		if p.Also != nil {
			_, _ = p.Also.Write(p.buf[:m]) // what a reader that went away misses is in the ring
		}
		n += m
	}
	return n, nil
}

// Drain takes what is in the pipe now, without waiting.
func (p *Pump) Drain() {
	_ = p.raw.Control(func(fd uintptr) { _, _ = p.gulp(int(fd)) })
}

// strangersPatience is how long finish waits for the end of the pipe. Once the
// subject's tree is gone it comes at once, unless a process outside was handed it.
const strangersPatience = 200 * time.Millisecond

// Finish ends the pump, having read what is left, and closes the pipe.
func (p *Pump) Finish() {
	_ = p.pipe.SetReadDeadline(time.Now().Add(strangersPatience))
	close(p.hurry)
	<-p.ended
	p.pipe.Close()
}

func (p *Pump) Stream() Stream {
	p.mu.Lock()
	defer p.mu.Unlock()
	s := p.kept.Stream()
	s.Full = p.full
	return s
}
