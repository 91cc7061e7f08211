package recorder

import (
	"bytes"
	"context"
	"encoding/gob"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"time"
)

// childName is the name of the child, as argv[0] and in /proc/PID/comm.
const childName = "hone-recorder"

// mostWaiting is how many orders may wait for a child that does not take them.
const mostWaiting = 256

var (
	// errGone says that the child has ended before it answered.
	errGone   = errors.New("the process that records metrics has ended")
	errSilent = errors.New("the process that records metrics does not answer")
)

// child is hone's end of one child.
type child struct {
	cmd     *exec.Cmd
	life    *os.File // never written to: its end is the end of hone
	out, in *os.File
	encoder *gob.Encoder
	orders  chan order
	said    *head // on its standard error

	mu      sync.Mutex
	number  int
	waiting map[int]chan report

	gone chan struct{} // closed when it has ended and is reaped
	how  string        // it ended; to be read when gone is closed
}

// startChild starts a child of low priority, which hears its setup as soon as it listens.
func startChild(o Options) (*child, error) {
	var pipes pipes
	defer pipes.closeFar()
	c := &child{
		orders: make(chan order, mostWaiting), waiting: map[int]chan report{}, gone: make(chan struct{}), said: &head{},
	}
	c.cmd = exec.Command(o.Argv[0], o.Argv[1:]...)
	c.cmd.Args[0] = childName
	// Ctrl-C is for hone; a session of its own would have a priority of its own (sched(7), autogroup)
	c.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	c.cmd.Stdin, c.life = pipes.toChild()
	var orders, reports *os.File
	orders, c.out = pipes.toChild()
	reports, c.in = pipes.fromChild()
	if pipes.err != nil {
		c.close()
		return nil, pipes.err
	}
	c.cmd.Stderr = c.said
	c.cmd.ExtraFiles = []*os.File{orders, reports}
	if err := atLowPriority(o.CPUs, c.cmd.Start); err != nil {
		c.close()
		return nil, err
	}
	c.encoder = gob.NewEncoder(c.out)
	// it fits in the pipe; an error means that the child is gone
	_ = c.encoder.Encode(setup{Dir: o.Dir, Interval: o.Interval, Version: o.Version})
	return c, nil
}

// pipes are those between hone and a child; err is the first that could not be made.
type pipes struct {
	far []*os.File
	err error
}

func (p *pipes) toChild() (far, near *os.File) { return p.make(false) }

func (p *pipes) fromChild() (far, near *os.File) { return p.make(true) }

func (p *pipes) make(farWrites bool) (far, near *os.File) {
	if p.err != nil {
		return nil, nil
	}
	far, near, p.err = os.Pipe()
	if farWrites {
		far, near = near, far
	}
	if p.err == nil {
		p.far = append(p.far, far)
	}
	return far, near
}

func (p *pipes) closeFar() {
	for _, f := range p.far {
		f.Close()
	}
}

// write passes the orders on, until the child has ended.
func (c *child) write() {
	for {
		select {
		case o := <-c.orders:
			if c.encoder.Encode(o) != nil {
				<-c.gone // it does not read any more
				return
			}
		case <-c.gone:
			return
		}
	}
}

// read takes the reports until the child ends, and reaps it.
func (c *child) read(note func(run string, faults ...string)) {
	in := gob.NewDecoder(c.in)
	for {
		var r report
		if in.Decode(&r) != nil {
			break
		}
		if len(r.Faults) > 0 {
			note(r.Run, r.Faults...)
		}
		if r.Number > 0 {
			c.answer(r)
		}
	}
	_ = c.cmd.Process.Kill() // a child that says nonsense, or closed its side
	_ = c.cmd.Wait()         // the state says how it ended
	c.how = c.cmd.ProcessState.String() + c.said.line()
	c.close()
	close(c.gone)
}

func (c *child) answer(r report) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if to := c.waiting[r.Number]; to != nil {
		to <- r // has room for the one answer
		delete(c.waiting, r.Number)
	}
}

// post gives an order that is not answered; false if too many wait already.
func (c *child) post(o order) bool {
	select {
	case c.orders <- o:
		return true
	default:
		return false
	}
}

// ask gives an order and waits for its answer. A child that lets hone wait for too long,
// or longer than hard allows, is killed.
func (c *child) ask(hard context.Context, o order, patience time.Duration) (report, error) {
	answer := make(chan report, 1)
	c.mu.Lock()
	c.number++
	o.Number = c.number
	c.waiting[o.Number] = answer
	c.mu.Unlock()
	late := time.NewTimer(patience)
	defer late.Stop()
	orders := c.orders
	for {
		select {
		case orders <- o:
			orders = nil
		case r := <-answer:
			return r, nil
		case <-c.gone:
			return report{}, errGone
		case <-late.C:
			return report{}, c.kill(errSilent)
		case <-hard.Done():
			return report{}, c.kill(context.Cause(hard))
		}
	}
}

func (c *child) kill(why error) error {
	_ = c.cmd.Process.Kill() // it may have ended
	<-c.gone
	return why
}

// stop lets the child end by itself, and kills it if it does not.
func (c *child) stop(patience time.Duration) {
	c.life.Close()
	select {
	case <-c.gone:
	case <-time.After(patience):
		_ = c.kill(nil)
	}
}

func (c *child) close() {
	for _, f := range []*os.File{c.life, c.out, c.in} {
		if f != nil {
			f.Close()
		}
	}
}

// head keeps the beginning of what is written to it: a panic's first line stands there.
type head struct {
	mu   sync.Mutex
	text bytes.Buffer
}

const headBytes = 1 << 10

func (h *head) Write(b []byte) (int, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.text.Write(b[:min(len(b), max(0, headBytes-h.text.Len()))])
	return len(b), nil
}

// line is the first line after a colon, or nothing.
func (h *head) line() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	line, _, _ := strings.Cut(strings.TrimSpace(h.text.String()), "\n")
	if line == "" {
		return ""
	}
	return fmt.Sprintf(": %s", line)
}
