package cluster

import (
	"encoding/json"
	"io"
	"time"

	"github.com/gohone/hone/internal/text/fail"
)

// Engine is what an agent's side of a run drives. Its methods return at once; what comes of them is told to the Worker.
type Engine interface {
	// Prepare connects and warms up; then Worker.Prepared.
	Prepare(job json.RawMessage)
	// StartAt starts a turn at a moment of the agent's clock; then Worker.Started. The stretch is Order.Stretch. Where
	// it is empty the job is done after this turn: then Worker.Finished, else Worker.TurnEnded.
	StartAt(at time.Duration, stretch json.RawMessage)
	// Cut ends the sending of the turn under way; what is outstanding is waited for. Then Worker.TurnEnded.
	Cut()
	// Stop ends the sending; what is outstanding is waited for. Then Worker.Finished.
	Stop()
	// Abandon ends all at once: what there is of a recording is of no use to the coordinator.
	Abandon()
	// Recording is what was written so far.
	Recording() io.ReaderAt
}

// Worker is an agent's side of one run.
type Worker struct {
	send   func(message any) // a State or a Chunk
	engine Engine
	state  State
	clocks difference
	// seen is the latest order, leased until when the agent may go on, on its clock.
	seen    Order
	leased  time.Duration
	turn    uint64        // the latest that was ordered
	start   time.Duration // of it, on the agent's clock
	cut     uint64        // the latest whose sending was ended
	stopped bool
	// sent is how much of the recording was sent, sentAt when the oldest part without an acknowledgement was.
	sent   int64
	sentAt time.Duration
	said   time.Duration // when the last State was sent
	over   bool
}

// NewWorker begins the run of an order that has a job. The order is the agent's: its Agent is its ID, and it was
// signed.
func NewWorker(o Order, engine Engine, send func(message any), now time.Duration) *Worker {
	w := &Worker{send: send, engine: engine, state: State{Run: o.Run, Agent: o.Agent, Phase: Preparing}}
	w.lease(o, now)
	if now >= w.leased { // an order of long ago, sent again; or one that answers what was never said
		w.fail(fail.New(fail.Environment, "the order answers what the agent said %v ago, and not within %v", now-o.Echo,
			LeaseFor))
		w.over = true
		return w
	}
	engine.Prepare(o.Job)
	w.Hear(o, now)
	w.say(now)
	return w
}

// Over says that the run has ended for this agent: nothing more is sent.
func (w *Worker) Over() bool { return w.over }

// Delivered says that the coordinator has the whole recording.
func (w *Worker) Delivered() bool {
	return w.state.Phase == Ended && w.seen.Received >= w.state.Written
}

// State is what the worker would say now.
func (w *Worker) State() State { return w.state }

// lease lets the agent go on from when it sent what the order answers. It cannot have sent that in the future: a client
// that forges its states must not make the lease longer.
func (w *Worker) lease(o Order, now time.Duration) {
	if o.Echo <= now {
		w.leased = max(w.leased, o.Echo+LeaseFor)
	}
}

// Hear takes an order. One that has received more than there is answers another agent.
func (w *Worker) Hear(o Order, now time.Duration) {
	if w.over || o.Run != w.state.Run || o.Seq < w.seen.Seq || o.Received > w.state.Written {
		return
	}
	w.clocks.hear(o, now)
	w.lease(o, now)
	if o.Received > w.seen.Received {
		w.sentAt = now
	}
	o.Received = max(o.Received, w.seen.Received)
	w.seen = o
	w.sent = max(w.sent, o.Received)
	switch {
	case o.Stop:
		w.stop()
	// not before the last one has begun
	case o.Start > 0 && o.Turn > w.turn && w.state.Phase == Ready && w.turn == w.state.Turns:
		w.order(o, now)
	case o.Cut && o.Turn == w.turn && w.cut < w.turn && w.state.Phase == Running:
		w.cut = w.turn
		w.engine.Cut()
	}
	if w.Delivered() || w.state.Phase == Failed && o.Stop {
		w.over = true
		return
	}
	w.chunks(now)
}

// order takes the moment of a start. One that has passed cannot be a common start.
func (w *Worker) order(o Order, now time.Duration) {
	at := o.Start - w.clocks.ahead
	if !w.clocks.known || at < now {
		w.fail(fail.New(fail.Environment, "the order to start came %v late", now-at))
		w.engine.Abandon()
		w.say(now)
		return
	}
	w.turn, w.start = o.Turn, at
	w.engine.StartAt(at, o.Stretch)
}

func (w *Worker) stop() {
	if w.stopped || w.state.Phase == Ended || w.state.Phase == Failed {
		return
	}
	w.stopped = true
	if w.turn == 0 { // nothing was measured
		w.fail(fail.New(fail.Interrupted, "stopped before the start"))
		w.engine.Abandon()
		return
	}
	w.engine.Stop()
}

// Prepared takes what came of Engine.Prepare.
func (w *Worker) Prepared(err error, now time.Duration) {
	if w.state.Phase != Preparing {
		return
	}
	w.state.Phase = Ready
	if err != nil {
		w.fail(err)
	}
	w.say(now)
}

// Started takes the moment when the schedule began.
func (w *Worker) Started(at, now time.Duration) {
	if w.state.Phase != Ready {
		return
	}
	if late := at - w.start; len(w.seen.Stretch) > 0 && late > TurnLate {
		w.fail(fail.New(fail.Environment, "the agent began a turn %v late", late.Round(time.Millisecond)).
			WithHint("it was held up, or its machine is busy: give it a CPU of its own"))
		w.engine.Abandon()
		w.say(now)
		return
	}
	w.state.Phase, w.state.Started, w.state.Skew = Running, at+w.clocks.ahead, w.clocks.bound
	w.say(now)
}

// TurnEnded takes the end of a turn, and the length of the recording with all that it has of it.
func (w *Worker) TurnEnded(length int64, now time.Duration) {
	if w.state.Phase != Running || w.over {
		return
	}
	w.state.Phase, w.state.Turns, w.state.Written = Ready, w.turn, length
	w.chunks(now)
	w.say(now)
}

// Wrote takes the length of the recording so far.
func (w *Worker) Wrote(length int64, now time.Duration) {
	w.state.Written = max(w.state.Written, length)
	w.chunks(now)
}

// Finished takes the end of the recording: its length and SHA-256, in hexadecimal digits.
func (w *Worker) Finished(length int64, sum string, err error, now time.Duration) {
	if w.state.Phase == Failed || w.over {
		return
	}
	w.state.Phase, w.state.Written, w.state.SHA256 = Ended, length, sum
	if err != nil {
		w.fail(err)
	}
	w.chunks(now)
	w.say(now)
}

// fail notes why the agent cannot go on.
func (w *Worker) fail(err error) {
	w.state.Phase, w.state.Reason, w.state.Hint, w.state.Kind = Failed, err.Error(), fail.HintOf(err),
		int(fail.KindOf(err))
}

// Tick lets time pass. It is to be called some times in each Every.
func (w *Worker) Tick(now time.Duration) {
	if w.over {
		return
	}
	if now >= w.leased {
		w.expire(now)
		return
	}
	if w.sent > w.seen.Received && now-w.sentAt >= ResendAfter {
		w.sent = w.seen.Received
	}
	w.chunks(now)
	if now-w.said >= Every {
		w.say(now)
	}
}

// Leave ends the run because the agent's user ends the agent. The coordinator hears of it at once.
func (w *Worker) Leave(now time.Duration) {
	if w.over {
		return
	}
	if w.state.Phase != Ended && w.state.Phase != Failed {
		w.fail(fail.New(fail.Environment, "its user ended it"))
	}
	w.engine.Abandon()
	w.over = true
	w.say(now)
}

// expire ends the load because the coordinator is gone.
func (w *Worker) expire(now time.Duration) {
	w.over = true
	if w.state.Phase != Ended && w.state.Phase != Failed {
		w.fail(fail.New(fail.Environment, "no word from the coordinator for %v: the load was stopped", LeaseFor))
		w.engine.Abandon()
	}
	w.say(now)
}

// say sends the state.
func (w *Worker) say(now time.Duration) {
	w.said = now
	w.state.Seq++
	w.state.Clock = now
	w.send(w.state)
}

// chunks sends what of the recording the window lets through.
func (w *Worker) chunks(now time.Duration) {
	if w.state.Phase == Failed {
		return
	}
	for w.sent < w.state.Written && w.sent-w.seen.Received < Window {
		n := min(MaxChunk, w.state.Written-w.sent)
		data := make([]byte, n)
		if _, err := w.engine.Recording().ReadAt(data, w.sent); err != nil {
			w.fail(fail.New(fail.Storage, "read the recording: %w", err))
			w.engine.Abandon()
			return
		}
		if w.sent == w.seen.Received {
			w.sentAt = now
		}
		w.send(Chunk{Run: w.state.Run, Agent: w.state.Agent, Offset: w.sent, Data: data})
		w.sent += n
	}
}
