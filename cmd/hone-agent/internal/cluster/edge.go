package cluster

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/printable"
)

// What a message may hold. Clients with the broker's token can send anything, so each field of each message has bounds
// that no agent and no coordinator of ours comes near. A message beyond them counts as lost.
const (
	maxWord   = 256      // bytes of a name, a version, a label, an address
	maxReason = 4 << 10  // bytes of a reason or a hint
	maxList   = 256      // labels, addresses
	maxCPUs   = 1 << 16  // of one machine
	maxHz     = 1e12     // requests per second
	maxCount  = 1 << 31  // connections
	maxTurns  = 1 << 40  // of one run
	maxBytes  = 1 << 50  // of a recording
	maxSignal = 64 << 20 // bytes of a message; brokers let 8 MB through, unless their user raised it

	// maxClock is how long an agent or a coordinator may have been running.
	maxClock = 20 * 365 * 24 * time.Hour
)

// IsName says that a text may name an agent or a run, in a subject of a broker and in a file name.
func IsName(text string) bool {
	return text != "" && len(text) <= 64 && strings.Trim(text,
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_") == ""
}

// checks collects what is wrong with a message.
type checks []string

func (c *checks) want(ok bool, what string) {
	if !ok {
		*c = append(*c, what)
	}
}

// words wants short texts, and makes one line of each.
func (c *checks) words(what string, most int, texts ...*string) {
	for _, t := range texts {
		c.want(len(*t) <= most, what)
		*t = printable.Line(*t)
	}
}

// within wants moments and spans that a process can have lived to see.
func (c *checks) within(what string, times ...time.Duration) {
	for _, t := range times {
		c.want(t >= 0 && t <= maxClock, what)
	}
}

// rate wants a rate; a NaN is none.
func (c *checks) rate(what string, hz, least float64) { c.want(hz >= least && hz <= maxHz, what) }

func (c checks) err(message string) error {
	if len(c) == 0 {
		return nil
	}
	return fail.New(fail.BadInput, "%s is not one of hone's: %s", message, strings.Join(c, ", "))
}

// ReadHello reads how an agent introduces itself.
func ReadHello(raw []byte) (Hello, error) {
	var h Hello
	if err := decode(raw, &h); err != nil {
		return h, fmt.Errorf("read the introduction of an agent: %w", err)
	}
	var c checks
	c.want(IsName(h.ID), "its id")
	c.want(h.Busy == "" || IsName(h.Busy), "the run it works for")
	c.want(h.Name != "", "its name")
	c.words("a text", maxWord, &h.Name, &h.Version, &h.Machine)
	c.want(len(h.Labels) <= maxList && len(h.Allow) <= maxList, "the length of a list")
	for i := range h.Allow {
		c.words("an address", maxWord, &h.Allow[i])
	}
	labels := map[string]string{}
	for key, value := range h.Labels {
		c.words("a label", maxWord, &key, &value)
		labels[key] = value
	}
	h.Labels = labels
	c.want(h.CPUs >= 1 && h.CPUs <= maxCPUs, "its CPUs")
	c.rate("its capacity", h.CapacityHz, math.SmallestNonzeroFloat64)
	c.rate("its highest rate", h.MaxRateHz, 0)
	c.want(h.MaxConnections >= 0 && h.MaxConnections <= maxCount, "its connections")
	c.within("its clock", h.Clock)
	return h, c.err("the introduction of an agent")
}

// ReadState reads what an agent says of a run.
func ReadState(raw []byte) (State, error) {
	var s State
	if err := decode(raw, &s); err != nil {
		return s, fmt.Errorf("read the state of an agent: %w", err)
	}
	var c checks
	c.want(IsName(s.Run) && IsName(s.Agent), "a name")
	switch s.Phase {
	case Preparing, Ready, Running, Ended, Failed:
	default:
		c.want(false, "its phase")
	}
	c.words("a text", maxReason, &s.Reason, &s.Hint)
	c.want(s.Kind >= 0 && s.Kind <= 255, "the kind of an error") // an exit code
	c.want(s.Written >= 0 && s.Written <= maxBytes, "the length of its recording")
	c.want(s.SHA256 == "" || isSHA256(s.SHA256), "a SHA-256")
	c.want(s.Turns <= maxTurns, "its turns")
	c.within("a time", s.Started, s.Skew, s.Clock)
	return s, c.err("the state of an agent")
}

// ReadChunk reads a piece of an agent's recording, whose offset stands in a text.
func ReadChunk(run, agent, offset string, data []byte) (Chunk, error) {
	at, err := strconv.ParseInt(offset, 10, 64)
	var c checks
	c.want(IsName(run) && IsName(agent), "a name")
	c.want(err == nil && at >= 0 && at <= maxBytes, "its offset")
	c.want(len(data) > 0 && len(data) <= MaxChunk, "its length")
	return Chunk{Run: run, Agent: agent, Offset: at, Data: data}, c.err("a piece of a recording")
}

// check wants an order that a coordinator can have given: a trusted one may be wrong, too.
func (o Order) check() error {
	var c checks
	c.want(IsName(o.Run) && IsName(o.Agent), "a name")
	c.want(o.Group == "" || IsName(o.Group), "its group")
	c.want(o.Turn <= maxTurns, "its turn")
	c.want(o.Received >= 0 && o.Received <= maxBytes, "how much was received")
	c.within("a time", o.Start, o.Clock, o.Echo, o.Held)
	return c.err("the order")
}

func decode(raw []byte, into any) error {
	if len(raw) > maxSignal {
		return errors.New("it is too long")
	}
	return json.Unmarshal(raw, into)
}

func isSHA256(text string) bool {
	return len(text) == 64 && strings.Trim(text, "0123456789abcdef") == ""
}
