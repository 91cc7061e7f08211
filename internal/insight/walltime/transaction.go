package walltime

import (
	"cmp"

	"github.com/gohone/hone/internal/text/statement"
)

// A transaction keeps what it has written locked until it ends, and its connection is taken. So what a request does
// meanwhile without the database is a wait of all others that write the same rows.

// Statements that begin and end a transaction, as package sqltrace names them.
const (
	begin    = "BEGIN"
	commit   = "COMMIT"
	rollback = "ROLLBACK"
)

// Transaction is what transactions do after they have written, up to their COMMIT or ROLLBACK.
type Transaction struct {
	// Wrote is the first statement that writes.
	Wrote string `json:"wrote"`
	// Held is the time in nanoseconds from that statement to the end, Idle the part of it without a statement: means of
	// all requests of the cohort, as Statement.Nanos.
	Held float64 `json:"held_ns"`
	Idle float64 `json:"idle_ns"`
	// Meanwhile is what the request does for most of Idle, at the line of the function that began the transaction where
	// that is on its stack.
	Meanwhile Call `json:"meanwhile,omitzero"`
}

// idleAt is where a request is while a transaction of its own waits for it.
type idleAt struct {
	begun *Statement
	stack stackID
	kind  kind
}

// transactions adds up what a request does in transactions, by the statements that began them.
func (s *statements) transactions(pieces []piece) {
	var begun *Statement // the transaction under way
	wrote := false
	for _, p := range pieces {
		text := ""
		if p.on != 0 {
			text = s.labeller.works.all[p.on].text
		}
		switch {
		case text == begin:
			begun = s.of(p.on)
			wrote = false
		case begun == nil:
		case text == commit, text == rollback:
			begun = nil
		case wrote || statement.Writes(text):
			if begun.Transaction == nil {
				begun.Transaction = &Transaction{Wrote: text}
			}
			wrote = true
			begun.Transaction.Held += float64(p.to - p.from)
			if own := s.own(p.chain); p.on == 0 && own.kind.chosen() {
				s.idle[idleAt{begun, own.stack, own.kind}] += p.to - p.from
			}
		}
	}
}

// chosen says that a goroutine does what its code says, and does not wait for a processor or the collector.
func (k kind) chosen() bool {
	switch k {
	case kindRunning, kindSyscall, kindLock, kindWait, kindChannel, kindNetwork, kindSleep, kindQueue:
		return true
	}
	return false
}

// transaction makes means of the times of transactions, of n requests.
func (s *statements) transaction(begun *Statement, n float64) {
	t := begun.Transaction
	if t == nil {
		return
	}
	t.Held /= n
	by := map[Call]float64{}
	for at, nanos := range s.idle {
		if at.begun == begun {
			t.Idle += float64(nanos) / n
			by[s.within(at)] += float64(nanos)
		}
	}
	most := 0.0
	for c, nanos := range by {
		if nanos > most || nanos == most && cmp.Or(cmp.Compare(c.File, t.Meanwhile.File), c.Line-t.Meanwhile.Line) < 0 {
			t.Meanwhile, most = c, nanos
		}
	}
}

// within is what a request does at a place, at the line of the function that began the transaction.
func (s *statements) within(at idleAt) Call {
	c := s.call(at.stack, at.kind)
	for _, f := range s.stacks.framesOf(at.stack) {
		if at.begun.Function != "" && f.Function == at.begun.Function {
			c.Function, c.File, c.Line = f.Function, f.File, f.Line
			break
		}
	}
	return c
}
