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
// A goroutine that comes while no other writes becomes the writer, and takes along what
// the others add meanwhile.
type outbox struct {
	w io.Writer

	mu      sync.Mutex
	queue   []byte
	spare   []byte // memory for the next queue
	writing bool
	err     error // of the first write that failed; nothing is written after it

	// Those that wait for room, on conditions over mu. Each that goes on wakes the next,
	// so that one opening does not wake a thousand.
	senders sync.Cond // with an answer in hand
	held    int       // bytes of those answers
	makers  sync.Cond // about to make one
}

func newOutbox(w io.Writer) *outbox {
	o := &outbox{w: w}
	o.senders.L, o.makers.L = &o.mu, &o.mu
	return o
}

// send writes b, or has it written soon. b is the caller's own again when it returns.
func (o *outbox) send(b []byte) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if !o.mayWrite(len(b)) {
		o.add(b)
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
	writer := o.mayWrite(len(b))
	o.add(b)
	if !writer {
		return o.err
	}
	o.mu.Unlock()
	runtime.Gosched()
	o.mu.Lock()
	return o.drain()
}

// waitForRoom waits while the queue is full or answers wait for room in it, and returns
// an error if nothing is written any more. A handler's goroutine calls it before it makes an answer, so
// that a client that does not read cannot have a thousand large ones made.
func (o *outbox) waitForRoom() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	for o.writing && len(o.queue)+o.held >= maxQueued && o.err == nil {
		o.makers.Wait()
	}
	o.makers.Signal() // the next one judges for itself
	return o.err
}

// mayWrite makes the caller the writer if there is none. Otherwise it waits until
// there is room in the queue for what it holds.
func (o *outbox) mayWrite(bytes int) bool {
	o.held += bytes
	for o.writing && len(o.queue) >= maxQueued && o.err == nil {
		o.senders.Wait()
	}
	o.held -= bytes
	if o.writing {
		return false
	}
	o.writing = true
	return true
}

// add adds b to the queue.
func (o *outbox) add(b []byte) {
	if o.err == nil {
		o.queue = append(o.queue, b...)
	}
	o.passOn()
}

// passOn wakes the next of those that wait, if there is room.
func (o *outbox) passOn() {
	if o.err != nil {
		o.senders.Broadcast()
		o.makers.Broadcast()
		return
	}
	if !o.writing || len(o.queue) < maxQueued {
		o.senders.Signal()
	}
	if !o.writing || len(o.queue)+o.held < maxQueued {
		o.makers.Signal()
	}
}

// drain writes the queue until it is empty, and ends being the writer.
func (o *outbox) drain() error {
	for len(o.queue) > 0 && o.err == nil {
		taken := o.queue
		o.queue, o.spare = o.spare[:0], nil
		o.passOn()
		o.write(taken)
		if cap(taken) <= maxQueued {
			o.spare = taken[:0]
		}
	}
	o.writing = false
	if o.err != nil {
		o.queue = nil
	}
	o.passOn()
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
