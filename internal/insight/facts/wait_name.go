package facts

import (
	"fmt"
	"path"

	"github.com/gohone/hone/internal/insight/walltime"
)

// What a wait is called: in findings, in hone tail, and on pages.

// Unjoined stands for what is unexplained since the work on the request was not found in the trace.
const Unjoined walltime.State = "unjoined"

// Phrase says where time of a state was spent, by the user's line where there is one; "" where the
// state says it all.
func Phrase(l walltime.Label) string {
	own := CallText(l.Call)
	if l.Behind == nil {
		return own
	}
	behind := behindText(*l.Behind)
	switch l.State {
	case walltime.Runnable:
		return "behind " + behind
	case walltime.Lock:
		return heldText(own, l)
	case walltime.Network:
		return own
	case walltime.Collector:
		return own
	}
	return joined(own, ", behind ", behind)
}

// heldText names a lock with what its holder does, and where that waits itself, for what.
func heldText(own string, l walltime.Label) string {
	switch l.Behind.State {
	case walltime.Requests, walltime.Runnable:
		if at := CallText(*l.Behind); l.Behind.State == walltime.Runnable && at != "" {
			return joined(own, ", held across ", at) + ", where the holder waited to run"
		}
		return own + ", whose holder waited to run"
	}
	if l.Holder == nil {
		return joined(own, ", held across ", behindText(*l.Behind))
	}
	return joined(joined(own, ", held across ", behindText(*l.Holder)), ", behind ", behindText(*l.Behind))
}

// CallText names a call: the library's and the line of the user's that made it.
func CallText(c walltime.Call) string {
	name := c.Library
	if c.State == walltime.Network && c.Outer != "" {
		name = c.Outer // the user's call of a client; the inside of the client says less
	}
	switch {
	case c.Limit > 0:
		return fmt.Sprintf("a connection of the pool (MaxOpenConns is %d) %s", c.Limit, sourceLine(c))
	case c.Function == "":
		return Short(name)
	case c.State == walltime.Running || name == "":
		return Short(c.Function) + " " + sourceLine(c)
	}
	return Short(name) + " " + sourceLine(c)
}

func joined(own, word, behind string) string {
	if own == "" || behind == "" {
		return own + behind
	}
	return own + word + behind
}

// BehindText says what the goroutine does for which a request waits at a channel of the program.
func BehindText(c *walltime.Call) string {
	if c == nil || c.Function == "" {
		return "for a goroutine of the program"
	}
	return "behind " + behindText(*c)
}

// behindText names what was waited for.
func behindText(c walltime.Call) string {
	text := CallText(c)
	switch c.State {
	case walltime.Requests:
		if text == "" {
			return "other requests"
		}
		return "other requests in " + text
	case walltime.Collector:
		return "the garbage collector"
	case walltime.Observer:
		return "the trace itself"
	case walltime.Throttled:
		return "its CPU limit"
	case walltime.Runnable:
		return "a goroutine that waited to run"
	case walltime.Lock, walltime.Channel:
		return joined("a wait in ", "", text)
	}
	if text == "" {
		return "the runtime"
	}
	return text
}

func sourceLine(c walltime.Call) string { return fmt.Sprintf("%s:%d", path.Base(c.File), c.Line) }

// StateWord is a state in a sentence.
func StateWord(s walltime.State) string {
	switch s {
	case walltime.Before:
		return "network and kernel before the program"
	case walltime.After:
		return "network, kernel and client after it"
	case walltime.Throttled:
		return "held back by its CPU limit (quota)"
	case walltime.Preempted:
		return "waiting for a CPU that other programs had"
	case walltime.Stolen:
		return "waiting for a CPU that the host gave to others (steal)"
	case walltime.Halted:
		return "stopped by a signal (SIGSTOP)"
	case walltime.Unsent:
		return "due and not sent yet"
	case walltime.Runnable:
		return "waiting to run"
	case walltime.Channel:
		return "channels and groups"
	case walltime.Syscall:
		return "system call"
	case walltime.Network:
		return "backend"
	case walltime.Collector:
		return "garbage collector"
	case walltime.Unexplained:
		return "not explained"
	case Unjoined:
		return "of requests that are not found in the trace"
	}
	return string(s)
}

// PartText is a part in a sentence: its state and where.
func PartText(l walltime.Label) string {
	text := Phrase(l)
	switch {
	case text == "":
		return StateWord(l.State)
	case l.Limit > 0:
		return "waiting for " + text
	case l.State == walltime.Channel:
		return "waiting in " + text
	}
	return StateWord(l.State) + " " + text
}
