package nullserver

import (
	"errors"
	"fmt"
	"net"
	"sync"
	"syscall"
	"time"
)

// portable serves each connection by a goroutine, over any listener.
type portable struct {
	l    net.Listener
	o    Options
	all  sync.WaitGroup // the accepting goroutine and those of the connections
	done chan struct{}
	err  error // what ended it; read after done

	mu      sync.Mutex
	counter counter // by mu, which also keeps the log's calls apart
	conns   map[net.Conn]bool
	stopped chan struct{} // closed by stop, under mu
}

func startPortable(l net.Listener, o Options) *portable {
	p := &portable{l: l, o: o, done: make(chan struct{}), conns: map[net.Conn]bool{}, stopped: make(chan struct{})}
	p.counter.o = &p.o
	// Ends when stop closes the listener, and its connections with it.
	go func() {
		defer close(p.done)
		p.err = p.accept()
		p.stop()
		p.all.Wait()
	}()
	return p
}

func (p *portable) stop() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.isStopped() {
		return
	}
	close(p.stopped)
	p.l.Close()
	for c := range p.conns {
		c.Close()
	}
}

func (p *portable) wait() error {
	<-p.done
	return p.err
}

func (p *portable) isStopped() bool {
	select {
	case <-p.stopped:
		return true
	default:
		return false
	}
}

// busy is how long accepting pauses when the system has no more to give: net/http's
// longest pause.
const busy = time.Second

func (p *portable) accept() error {
	for {
		c, err := p.l.Accept()
		switch {
		case err == nil:
			p.adopt(c)
		case p.isStopped():
			return nil
		case !exhausted(err):
			return fmt.Errorf("accept connection: %w", err)
		default:
			select {
			case <-time.After(busy):
			case <-p.stopped:
			}
		}
	}
}

// exhausted says that accepting may work again when connections have ended.
func exhausted(err error) bool {
	for _, errno := range []syscall.Errno{syscall.EMFILE, syscall.ENFILE, syscall.ENOBUFS, syscall.ENOMEM} {
		if errors.Is(err, errno) {
			return true
		}
	}
	return false
}

// adopt starts serving c, unless the service has stopped in between.
func (p *portable) adopt(c net.Conn) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.isStopped() {
		c.Close()
		return
	}
	p.conns[c] = true
	num := p.counter.open(c.RemoteAddr)
	// Ends with its connection, at the latest in stop.
	p.all.Go(func() { p.serve(c, num) })
}

// serve answers on c until its end or that of the service.
func (p *portable) serve(c net.Conn, num int) {
	defer func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		delete(p.conns, c)
		c.Close()
	}()
	s := newSpeaker(p.o.Reply)
	in, out := make([]byte, readSize), []byte(nil)
	have, total := 0, uint64(0)
	for {
		n, err := c.Read(in[have:])
		var used, served int
		var last bool
		out, used, served, last = s.answer(out[:0], in[:have+n])
		if served > 0 {
			p.mu.Lock()
			p.counter.count(num, total, served)
			p.mu.Unlock()
			total += uint64(served)
		}
		have = copy(in, in[used:have+n])
		if len(out) > 0 {
			if _, err := c.Write(out); err != nil {
				return
			}
		}
		if last {
			p.linger(c, in)
			return
		}
		if err != nil {
			return
		}
	}
}

// linger ends a connection so that its peer gets the last answer: closing a socket
// with bytes unread resets it, and a reset overtakes the answer.
func (p *portable) linger(c net.Conn, buf []byte) {
	half, ok := c.(interface{ CloseWrite() error })
	if !ok || half.CloseWrite() != nil {
		return
	}
	for {
		if _, err := c.Read(buf); err != nil {
			return
		}
	}
}
