package walltime

import (
	"encoding/binary"
	"strings"

	"golang.org/x/exp/trace"
)

// stackID names a stack of a trace; 0 stands for no stack.
type stackID uint32

// Frame is a call on a stack.
type Frame struct {
	Function string
	File     string
	Line     int
}

// stack is a stack of a trace, the innermost frame first, and what its frames say.
type stack struct {
	frames []int32 // of stacks.frames
	// read is where a socket is read, named by the frames outside the read; 0 for other stacks.
	read siteID
	// depth is how many frames lie outside the read.
	depth int
	write bool // to a socket
	poll  bool // an event loop that asks the kernel for events
	lock  bool // of sync.Mutex or sync.RWMutex
	pool  bool // it waits for a connection of database/sql
	rows  bool // it reads rows of a statement
}

// siteID names a place that reads sockets; 0 stands for no place.
type siteID int32

// stacks are the stacks of a trace, each once. The trace repeats them in every generation.
type stacks struct {
	known  map[trace.Stack]stackID // of this generation
	byKey  map[string]stackID
	all    []stack
	frames []Frame
	frame  map[Frame]int32
	sites  map[string]siteID
	key    []byte
}

func newStacks() *stacks {
	return &stacks{
		known: map[trace.Stack]stackID{}, byKey: map[string]stackID{}, frame: map[Frame]int32{},
		sites: map[string]siteID{}, all: make([]stack, 1),
	}
}

// nextGeneration forgets the handles of stacks: each generation of a trace has its own.
func (s *stacks) nextGeneration() { clear(s.known) }

// intern returns the name of a stack.
func (s *stacks) intern(t trace.Stack) stackID {
	if t == trace.NoStack {
		return 0
	}
	if id, ok := s.known[t]; ok {
		return id
	}
	s.key = s.key[:0]
	var frames []int32
	for f := range t.Frames() {
		one := Frame{Function: f.Func, File: f.File, Line: int(f.Line)}
		i, ok := s.frame[one]
		if !ok {
			i = int32(len(s.frames))
			s.frames = append(s.frames, one)
			s.frame[one] = i
		}
		frames = append(frames, i)
		s.key = binary.AppendUvarint(s.key, uint64(i))
	}
	id := s.add(frames, string(s.key))
	s.known[t] = id
	return id
}

func (s *stacks) add(frames []int32, key string) stackID {
	if len(frames) == 0 {
		return 0
	}
	if id, ok := s.byKey[key]; ok {
		return id
	}
	id := stackID(len(s.all))
	s.all = append(s.all, s.classify(frames))
	s.byKey[key] = id
	return id
}

// at is frame i of a stack, 0 the innermost.
func (s *stacks) at(k *stack, i int) *Frame { return &s.frames[k.frames[i]] }

// framesOf lists the frames of a stack, the innermost first.
func (s *stacks) framesOf(id stackID) []Frame {
	var all []Frame
	for _, i := range s.all[id].frames {
		all = append(all, s.frames[i])
	}
	return all
}

// shared is how many callers two stacks have in common, from the outermost on, whatever their lines are.
func (s *stacks) shared(a, b stackID) (n int) {
	x, y := s.callers(a), s.callers(b)
	for n < len(x) && n < len(y) && s.frames[x[len(x)-1-n]].Function == s.frames[y[len(y)-1-n]].Function {
		n++
	}
	return n
}

// callers are the frames of a stack without runtime.goexit, which those of samples have and those of events do not.
func (s *stacks) callers(id stackID) []int32 {
	all := s.all[id].frames
	if s.outermost(id) == "runtime.goexit" {
		return all[:len(all)-1]
	}
	return all
}

// outermost is the function of the outermost frame of a stack; "" if it has none.
func (s *stacks) outermost(id stackID) string {
	k := &s.all[id]
	if len(k.frames) == 0 {
		return ""
	}
	return s.at(k, len(k.frames)-1).Function
}

// classify reads from the frames of a stack what a goroutine does there. The names are those of
// the standard library, which every Go program's sockets and locks go through.
func (s *stacks) classify(frames []int32) stack {
	k := stack{frames: frames}
	inside := true // of the runtime
	for i := range frames {
		name := s.at(&k, i).Function
		switch {
		case inside && (name == "database/sql.(*DB).honeConn" || name == "database/sql.(*DB).conn"):
			k.pool = true
			return k
		case strings.HasPrefix(name, "database/sql.(*Rows).Next"),
			strings.HasPrefix(name, "database/sql.(*Rows).Close"):
			k.rows = true
			return k
		case strings.HasPrefix(name, "internal/poll.(*FD).Read"):
			if s.socket(&k, i+1) {
				k.read, k.depth = s.site(frames[i+1:]), len(frames)-i-1
			}
			return k
		case strings.HasPrefix(name, "internal/poll.(*FD).Write"), strings.HasPrefix(name, "internal/poll.SendFile"),
			strings.HasPrefix(name, "internal/poll.Splice"):
			k.write = s.socket(&k, i+1)
			return k
		case strings.HasSuffix(name, "syscall.EpollWait"), strings.HasSuffix(name, "unix.EpollWait"),
			strings.HasSuffix(name, ".EpollPwait"), strings.HasSuffix(name, ".epollWait"):
			k.poll = true
			return k
		case strings.HasPrefix(name, "sync.(*Mutex).Lock"), strings.HasPrefix(name, "sync.(*RWMutex)."):
			k.lock = true
			return k
		}
		inside = inside && strings.HasPrefix(name, "runtime.")
	}
	return k
}

// socket says whether the frames from i on are those of a network connection: files share the
// calls of package internal/poll.
func (s *stacks) socket(k *stack, i int) bool {
	return i < len(k.frames) && strings.HasPrefix(s.at(k, i).Function, "net.")
}

// site names the place of a read by the frames outside it.
func (s *stacks) site(frames []int32) siteID {
	key := make([]byte, 0, 4*len(frames))
	for _, f := range frames {
		key = binary.AppendUvarint(key, uint64(f))
	}
	id, ok := s.sites[string(key)]
	if !ok {
		id = siteID(len(s.sites) + 1)
		s.sites[string(key)] = id
	}
	return id
}
