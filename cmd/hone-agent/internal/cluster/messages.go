// Package cluster is how a coordinator and its agents carry out one load test together: who may order what, when all
// start, how results come back exactly once, and how each side notices that the other is gone. It has no network, no
// clock and no load of its own: messages and times come in, messages and calls of an Engine go out, so that a
// simulation can test it under any faults.
//
// Every message says all that its sender knows: a lost, doubled or late one does no harm, since the next says it again.
package cluster

import (
	"encoding/json"
	"time"
)

// The times of the protocol. All agents and coordinators of one version agree on them.
const (
	// Every is how often both sides say what they know.
	Every = 500 * time.Millisecond
	// LeaseFor is how long an agent goes on after it last sent what the coordinator is known to have heard. It then
	// stops its load by itself.
	LeaseFor = 3 * time.Second
	// LostAfter is how long a coordinator hears nothing of an agent before it counts as lost.
	LostAfter = 3 * time.Second
	// StartIn is how far ahead of the common start it is announced: some messages may be lost meanwhile.
	StartIn = 2 * time.Second
	// TurnIn is how far ahead of its start a turn is announced, in a run by turns: it is announced again with each Tick
	// until then.
	TurnIn = 200 * time.Millisecond
	// TurnLate is how late an agent may begin a turn: later the turn is none that all took together.
	TurnLate = 100 * time.Millisecond
	// ResendAfter is how long an agent waits for an acknowledgement before it sends a chunk again.
	ResendAfter = time.Second
)

// MaxChunk is the largest Chunk.Data in bytes, Window how many bytes may be on their way.
const (
	MaxChunk = 128 << 10
	Window   = 8 * MaxChunk
)

// Hello is an agent that introduces itself: the answer to the question who is there.
type Hello struct {
	// ID names the agent's process: random, so that no order for another one fits.
	ID string `json:"id"`
	// Version is that of hone. Agents and coordinators of different versions do not work together.
	Version string `json:"version"`
	// Name is the agent's host or what its user calls it; Labels are for choosing agents.
	Name   string            `json:"name"`
	Labels map[string]string `json:"labels,omitempty"`
	CPUs   int               `json:"cpus"`
	// Machine tells machines apart: agents of one machine have the same.
	Machine string `json:"machine,omitempty"`
	// CapacityHz is how many requests per second the generator reached against a server that does nothing.
	CapacityHz float64 `json:"capacity_hz"`
	// MaxRateHz and MaxConnections are what its user allows; 0: no limit.
	MaxRateHz      float64 `json:"max_rate_hz,omitempty"`
	MaxConnections int     `json:"max_connections,omitempty"`
	// Allow lists the addresses that it may load.
	Allow []string `json:"allow"`
	// Busy names the run that it works for; empty: none.
	Busy string `json:"busy,omitempty"`
	// Clock is the agent's clock when it said so.
	Clock time.Duration `json:"clock_ns"`
}

// Order is what a coordinator wants of one agent, all of it each time.
type Order struct {
	Run   string `json:"run"`
	Agent string `json:"agent"`
	// Seq grows: an agent ignores orders that are older than one it has seen.
	Seq uint64 `json:"seq"`
	// Job is what to do; left out once the agent has it.
	Job json.RawMessage `json:"job,omitempty"`
	// Group names the runs that an agent may work for at the same time, of one coordinator; empty: this run alone.
	Group string `json:"group,omitempty"`
	// Turn numbers the turn to start, from 1; a run that is not by turns has one. Start is when all start it, on the
	// coordinator's clock; 0 while some agent is not ready. Stretch says what to do in it, as the Engine reads it;
	// empty: what the job says.
	Turn    uint64          `json:"turn,omitempty"`
	Start   time.Duration   `json:"start_ns,omitempty"`
	Stretch json.RawMessage `json:"stretch,omitempty"`
	// Cut ends the sending of this turn early. What is outstanding is waited for, and another turn may follow.
	Cut bool `json:"cut,omitempty"`
	// Stop ends the run, and its sending. What is outstanding is waited for.
	Stop bool `json:"stop,omitempty"`
	// Received is how many bytes of the agent's recording are kept and need not be sent again.
	Received int64 `json:"received"`
	// Clock is the coordinator's clock when it sent this. Echo is State.Clock of the latest it has heard, and Held how
	// long ago that was: a lease counts from there, and the difference of the clocks follows from both.
	Clock time.Duration `json:"clock_ns"`
	Echo  time.Duration `json:"echo_ns"`
	Held  time.Duration `json:"held_ns"`
}

// Phase is how far an agent is with a run.
type Phase string

// The phases, in this order; an agent may fail in any of them. In a run by turns it is ready again after each.
const (
	Preparing Phase = "preparing" // it connects and warms up
	Ready     Phase = "ready"     // it waits for a start
	Running   Phase = "running"
	Ended     Phase = "ended"  // the recording is complete
	Failed    Phase = "failed" // it refused the job, or cannot go on
)

// State is what an agent knows of its run, all of it each time.
type State struct {
	Run   string `json:"run"`
	Agent string `json:"agent"`
	Seq   uint64 `json:"seq"`
	Phase Phase  `json:"phase"`
	// Reason says why it failed; Kind is the kind of that error (its exit code).
	Reason string `json:"reason,omitempty"`
	Hint   string `json:"hint,omitempty"`
	Kind   int    `json:"kind,omitempty"`
	// Written is the length of the recording so far; SHA256 is that of all of it, once it has ended.
	Written int64  `json:"written"`
	SHA256  string `json:"sha256,omitempty"`
	// Turns is how many turns it has carried out. What it recorded in them is part of Written.
	Turns uint64 `json:"turns,omitempty"`
	// Started is when its latest schedule began, on the coordinator's clock as the agent knows it; Skew bounds the
	// error of that.
	Started time.Duration `json:"started_ns,omitempty"`
	Skew    time.Duration `json:"skew_ns,omitempty"`
	Clock   time.Duration `json:"clock_ns"`
}

// Chunk is a piece of an agent's recording.
type Chunk struct {
	Run    string `json:"run"`
	Agent  string `json:"agent"`
	Offset int64  `json:"offset"`
	Data   []byte `json:"data"`
}
