// Package epoll has the parts of an event loop on Linux: non-blocking reads,
// writes and accepts, an epoll instance that another thread can wake, sleeps that end
// on the microsecond, and the few calls that set up a loop's thread. It is empty on
// other systems.
//
// Everything that cannot block goes through a raw system call, which spares the Go
// scheduler's bookkeeping (about 0.05 us each). That has a price: the runtime cannot
// stop a goroutine inside a raw call, and a loop of nothing else never comes past a
// point where it can be stopped, so that a garbage collection waits for it forever,
// at GOMAXPROCS=1 even without one. A loop over this package must
//
//   - run on a locked thread of its own (runtime.LockOSThread), and
//   - handle each batch of events in a real call: a function that is kept from being
//     inlined, whose prologue is the point at which the runtime stops it.
//
// Watches are edge-triggered: an event says that something has come since the last
// one, so its receiver reads until a read falls short of its buffer (then the socket
// was empty, and what comes later is a new event) or finds EAGAIN. An event that says
// Hangup may stand for data and the end of the stream together: read on to the end.
package epoll
