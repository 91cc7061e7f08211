package rpc

import (
	"io"
	"runtime"
	"sync"
)

// maxQueued is how much may wait to be written on a connection before those who want to
// add have to wait too, in bytes. One message more than that may be in the queue.
const maxQueued = 1 << 20

// outbox is what waits to be written to a connection on which several goroutines answer.
// Whoever comes while nobody writes writes, and takes along what the others add
// meanwhile.
type outbox struct {
	w io.Writer

	mu      sync.Mutex
	changed sync.Cond // queue was taken, or err was set; its lock is mu
	queue   []byte
	spare   []byte // memory for the next queue
	writing bool
	err     error // of the first write that failed; nothing is written after it
}

func newOutbox(w io.Writer) *outbox {
	o := &outbox{w: w}
	o.changed.L = &o.mu
	return o
}

// send writes b, or has it written soon. b is the caller's own again when it returns.
func (o *outbox) send(b []byte) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if !o.mayWrite() {
		o.queue = append(o.queue, b...)
		return o.err
	}
	if o.err == nil {
		o.write(b)
	}
	return o.drain()
}

// sendTogether is send for many goroutines with little each: the one that is to write
// first yields once, so that those that are ready add theirs.
func (o *outbox) sendTogether(b []byte) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	writer := o.mayWrite()
	o.queue = append(o.queue, b...)
	if !writer {
		return o.err
	}
	o.mu.Unlock()
	runtime.Gosched()
	o.mu.Lock()
	return o.drain()
}

// mayWrite makes the caller the writer if there is none. Otherwise it waits until
// there is room in the queue.
func (o *outbox) mayWrite() bool {
	for o.writing && len(o.queue) >= maxQueued && o.err == nil {
		o.changed.Wait()
	}
	if o.writing {
		return false
	}
	o.writing = true
	return true
}

// drain writes the queue until it is empty, and ends being the writer.
func (o *outbox) drain() error {
	for len(o.queue) > 0 && o.err == nil {
		taken := o.queue
		o.queue, o.spare = o.spare[:0], nil
		o.changed.Broadcast()
		o.write(taken)
		if cap(taken) <= maxQueued {
			o.spare = taken[:0]
		}
	}
	o.writing = false
	if o.err != nil {
		o.queue = nil
	}
	o.changed.Broadcast()
	return o.err
}

// write writes b without the lock.
func (o *outbox) write(b []byte) {
	o.mu.Unlock()
	_, err := o.w.Write(b)
	o.mu.Lock()
	if err != nil {
		o.err = err
	}
}
