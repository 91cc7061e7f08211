package agents

import (
	"encoding/json"
	"errors"
	"time"

	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/progress"
	"github.com/gohone/hone/load"
)

// Verb is what a Call wants.
type Verb string

// The verbs, with what a call has for them and what the last answer to it has. Stop and Cancel get no answer of their
// own: they end a call that is under way, whose ID they have.
const (
	Begin  Verb = "begin"  // Setup; the first call
	Choose Verb = "choose" // the agents of a measurement: Names
	Open   Verb = "open"   // connect them to a program: Job without a schedule; the ID of the call is the session's
	Turn   Verb = "turn"   // load a session: Session, Stretch; each slice is news; Turned
	Close  Verb = "close"  // Session; Account
	Test   Verb = "test"   // carry out a load test: Job, Count; Tested
	Stop   Verb = "stop"   // no more requests; what is outstanding is waited for
	Cancel Verb = "cancel" // end at once
)

// Call is what hone asks of its coordinator. Several may be under way.
type Call struct {
	ID      uint64        `json:"id"`
	Do      Verb          `json:"do"`
	Setup   *Setup        `json:"setup,omitempty"`
	Session uint64        `json:"session,omitempty"`
	Job     *Job          `json:"job,omitempty"`
	Count   int           `json:"count,omitempty"` // of agents, instead of the number in Setup.Choice; 0: as that says
	Stretch *load.Stretch `json:"stretch,omitempty"`
}

// Setup is what holds for all calls.
type Setup struct {
	Link spec.Link `json:"link"`
	// Choice is the text of --agents, Version hone's.
	Choice  string `json:"choice"`
	Version string `json:"version"`
	// Dir is the directory of the ledger: in its agents/ are the recordings of the agents until they are one result.
	Dir string `json:"dir"`
}

// Job is a load: of all agents together in a Call, and a part of it on its way to one of them. Nothing in a part names
// a file or a program of the agent's machine: what the options named is in it.
type Job struct {
	spec.Load
	spec.Sending
	// ByTurns says that the connections stay open for turns, each of which has a stretch of its own, instead of
	// Schedule, WarmUp, Drain and Interval.
	ByTurns bool `json:"by_turns,omitempty"`
}

// Answer is news of a call, or with End its end: with Fault, or with what the call came to.
type Answer struct {
	ID    uint64         `json:"id"`
	Phase *Phase         `json:"phase,omitempty"`
	Tick  *progress.Tick `json:"tick,omitempty"`
	Warn  string         `json:"warn,omitempty"`
	Slice *Loaded        `json:"slice,omitempty"`

	End     bool         `json:"end,omitempty"`
	Fault   *Fault       `json:"fault,omitempty"`
	Names   []string     `json:"names,omitempty"`
	Turned  *Turned      `json:"turned,omitempty"`
	Account *load.Counts `json:"account,omitempty"`
	Tested  *Tested      `json:"tested,omitempty"`
}

// Phase is what begins, and how long it should take.
type Phase struct {
	Name     string        `json:"name"`
	Expected time.Duration `json:"expected_ns"`
}

// Loaded is a slice of all agents together. Its beginning lies Ago back: processes have no clock in common that cannot
// be set. Local is the CPU time that agents on this machine took for it.
type Loaded struct {
	Packed json.RawMessage `json:"packed"` // a packed.Slice
	Ago    time.Duration   `json:"ago_ns"`
	Local  time.Duration   `json:"local_ns"`
}

// Turned is by how much the agents began a turn apart, and a bound of the error of that.
type Turned struct {
	Apart     time.Duration `json:"apart_ns"`
	Uncertain time.Duration `json:"uncertain_ns"`
}

// Tested is what a load test came to: the recordings of its agents are in the spool of Run.
type Tested struct {
	Run    string   `json:"run"`
	Agents []Member `json:"agents"`
	Turned
	// Late counts pieces of recordings of agents that were lost before.
	Late int `json:"late"`
	// Why is the first reason why the test is not what was asked for; nil if it is.
	Why *Fault `json:"why,omitempty"`
}

// Member is an agent of a load test.
type Member struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	CPUs int    `json:"cpus"`
	// Complete says that its whole recording is kept. Lost says why it is not part of the result; empty if it is.
	Complete bool   `json:"complete"`
	Lost     string `json:"lost,omitempty"`
}

// Fault is an error on its way.
type Fault struct {
	Kind int    `json:"kind"`
	Text string `json:"text"`
	Hint string `json:"hint,omitempty"`
}

// FaultOf packs an error; nil for none.
func FaultOf(err error) *Fault {
	if err == nil {
		return nil
	}
	return &Fault{Kind: int(fail.KindOf(err)), Text: err.Error(), Hint: fail.HintOf(err)}
}

// Err is the error; nil for none.
func (f *Fault) Err() error {
	if f == nil {
		return nil
	}
	return &fail.Error{Kind: fail.Kind(f.Kind), Err: errors.New(f.Text), Hint: f.Hint}
}
