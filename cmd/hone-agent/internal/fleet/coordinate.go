// Package fleet carries out load tests on several machines: the agent that loads on each of them, and the coordinator
// that splits a test, starts it everywhere at the same moment and makes one result of what comes back.
package fleet

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/gohone/hone/cmd/hone-agent/internal/cluster"
	"github.com/gohone/hone/cmd/hone-agent/internal/natslink"
	"github.com/gohone/hone/internal/conduct/agents"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/progress"
)

// Coordinator carries out load tests with agents.
type Coordinator struct {
	// Version is hone's. Progress hears what is going on.
	Version  string
	Progress progress.Sink
	Link     *natslink.Link
	Signer   *cluster.Signer
	Choice   cluster.Choice
	// Wait is how long agents have to answer; 0 means WaitForAgents.
	Wait time.Duration
	// KeepGoing lets a test go on without agents that were lost.
	KeepGoing bool
	// Dir is the directory of the ledger, see agents.Spool.
	Dir string
}

// WaitForAgents is how long agents have to answer. Those that look for a broker try some times a second.
const WaitForAgents = 1500 * time.Millisecond

// began is the origin of the coordinator's clock.
var began = time.Now()

func clock() time.Duration { return time.Since(began) + 1 }

// test carries out one load test: there is something to make a result of, unless there is an error.
func (c *Coordinator) test(soft, hard context.Context, whole agents.Job) (*agents.Tested, error) {
	there, heard, err := c.findAgents(soft, nil)
	if err != nil {
		return nil, err
	}
	chosen, err := c.Choice.Choose(there, c.Version)
	if err != nil {
		return nil, err
	}
	work, err := jobs(whole, chosen)
	if err != nil {
		return nil, err
	}
	t, err := c.begin(there, heard, chosen, work)
	if err != nil {
		return nil, err
	}
	defer t.close()
	t.hear = t.seen.hear
	if err := t.conduct(soft, hard, whole.Schedule.Length()); err != nil {
		return nil, err
	}
	return t.tested(), nil
}

// findAgents asks which agents are there, and when each answered: all, for as long as they may take, or only wanted,
// which must.
func (c *Coordinator) findAgents(ctx context.Context, wanted []cluster.Hello) (there []cluster.Hello, heard []time.Time,
	err error) {
	wait := cmp.Or(c.Wait, WaitForAgents)
	if wanted == nil {
		c.Progress.Phase("look for agents", wait)
		return c.Link.Who(ctx, wait, nil)
	}
	missing := func(there []cluster.Hello) *cluster.Hello {
		for i, w := range wanted {
			if !slices.ContainsFunc(there, func(h cluster.Hello) bool { return h.ID == w.ID }) {
				return &wanted[i]
			}
		}
		return nil
	}
	there, heard, err = c.Link.Who(ctx, cluster.LostAfter,
		func(there []cluster.Hello) bool { return missing(there) == nil })
	if w := missing(there); err == nil && w != nil {
		err = fail.New(fail.Invalid, "agent %s was lost: it did not answer for %v", w.Name, cluster.LostAfter)
	}
	return there, heard, err
}

// newName is a name that no other run or group has.
func newName() string { return strings.ToLower(rand.Text()[:12]) }

// begin begins a run of chosen agents, with a job for each. They were heard among those that are there.
func (c *Coordinator) begin(there []cluster.Hello, heard []time.Time, chosen []cluster.Hello,
	work []json.RawMessage) (*test, error) {
	run := newName()
	t := &test{Coordinator: c, run: run, events: make(chan func(), 4096)}
	var err error
	if t.spool, err = agents.MakeSpool(c.Dir, run); err != nil {
		return nil, err
	}
	var parts []cluster.Part
	oldest := time.Now()
	for i, h := range chosen {
		at := slices.IndexFunc(there, func(o cluster.Hello) bool { return o.ID == h.ID })
		parts = append(parts, cluster.Part{Hello: there[at], Job: work[i]})
		if heard[at].Before(oldest) {
			oldest = heard[at]
		}
	}
	t.machine = cluster.NewCoordinator(run, parts, t, oldest.Sub(began)+1, clock())
	t.machine.KeepGoing, t.machine.Send = c.KeepGoing, t.order
	t.unlink, err = c.Link.Report(run, func(s cluster.State) { t.post(func() { t.machine.HearState(s, clock()) }) },
		func(k cluster.Chunk) { t.post(func() { t.machine.HearChunk(k, clock()) }) })
	if err != nil {
		t.close()
		return nil, err
	}
	return t, nil
}

// test is one run under way.
type test struct {
	*Coordinator
	run     string
	machine *cluster.Coordinator
	unlink  func() // nil before it hears the agents
	spool   *agents.Spool
	hear    func(agent string, piece []byte) // of a recording
	events  chan func()
	failed  error // why orders cannot be sent
	phase   string
	seen    seen
}

// close ends the hearing. What was kept stays.
func (t *test) close() {
	if t.unlink != nil {
		t.unlink()
	}
	t.spool.Close()
}

// post has something done in the loop. What a network brings faster than it is taken is lost, and comes again.
func (t *test) post(do func()) {
	select {
	case t.events <- do:
	default:
	}
}

// Keep implements cluster.Store. What it has written survives the end of this process.
func (t *test) Keep(agent string, offset int64, data []byte) error {
	err := t.spool.Keep(agent, offset, data)
	if err == nil {
		t.hear(agent, data)
	}
	return err
}

// order sends an order.
func (t *test) order(o cluster.Order) {
	message, err := t.Signer.Sign(o)
	if err == nil {
		err = t.Link.Order(o.Agent, message)
	}
	t.failed = errors.Join(t.failed, err)
}

// conduct runs the machine to its end. The end of soft ends the sending, that of hard everything.
func (t *test) conduct(soft, hard context.Context, length time.Duration) error {
	tick := time.NewTicker(cluster.Every / 5)
	defer tick.Stop()
	stop := soft.Done()
	for !t.machine.Over() {
		select {
		case <-hard.Done():
			t.machine.Stop(clock())
			return fail.New(fail.Interrupted, "interrupted; the agents stop within %v", cluster.LeaseFor).
				WithHint("what they had recorded so far is in %[1]s: hone load merge %[1]s/*.jsonl", t.spool.Path())
		case <-stop:
			t.machine.Stop(clock())
			stop = nil
		case do := <-t.events:
			do()
		case <-tick.C:
			t.machine.Tick(clock())
			t.tell(length)
		}
		if t.failed != nil {
			return t.failed
		}
	}
	return nil
}

// tested is what the run came to.
func (t *test) tested() *agents.Tested {
	out := &agents.Tested{Run: t.run, Late: t.machine.Late(), Why: agents.FaultOf(t.machine.Err())}
	out.Apart, out.Uncertain = t.machine.Skew()
	for _, m := range t.machine.Members() {
		one := agents.Member{ID: m.Hello.ID, Name: m.Hello.Name, CPUs: m.Hello.CPUs, Complete: m.Complete}
		if m.Lost != nil {
			one.Lost = m.Lost.Error()
		}
		out.Agents = append(out.Agents, one)
	}
	return out
}
