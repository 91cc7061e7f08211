// Package fleet carries out load tests on several machines: the agent that loads on each of them, and the coordinator that
// splits a test, starts it everywhere at the same moment and makes one result of what comes back.
package fleet

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/gohone/hone/internal/conduct/cluster"
	"github.com/gohone/hone/internal/conduct/loadtest"
	"github.com/gohone/hone/internal/conduct/natslink"
	"github.com/gohone/hone/internal/judge/limit"
	"github.com/gohone/hone/internal/store/recording"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/units"
	"github.com/gohone/hone/load"
)

// Coordinator carries out load tests with agents.
type Coordinator struct {
	// Tester is what the result is made and kept with.
	*loadtest.Tester
	Link   *natslink.Link
	Signer *cluster.Signer
	Choice cluster.Choice
	// Wait is how long agents have to answer; 0 means WaitForAgents.
	Wait time.Duration
	// KeepGoing lets a test go on without agents that were lost.
	KeepGoing bool
	// Dir is the directory of the ledger: in its agents/ the recordings of the agents are kept until they are one result. What a
	// coordinator leaves there that was killed, hone load merge reads.
	Dir string
}

// WaitForAgents is how long agents have to answer. Those that look for a broker try some times a second.
const WaitForAgents = 1500 * time.Millisecond

// began is the origin of the coordinator's clock.
var began = time.Now()

func clock() time.Duration { return time.Since(began) + 1 }

// Run carries out one load test, as loadtest.Tester.Run does.
func (c *Coordinator) Run(soft, hard context.Context, r loadtest.Request) (*loadtest.Result, error) {
	started := time.Now()
	rec, discard, err := c.measure(soft, hard, r)
	if err != nil {
		return nil, err
	}
	out := &loadtest.Result{Recording: rec}
	if err = c.Keep(r, nil, out, started, loadtest.Verdict(rec)); fail.KindOf(err) != fail.Storage {
		discard()
	}
	return out, err
}

// FindMax searches the highest rate at which limits hold, as loadtest.Tester.FindMax does. Each rate is a load test of its own:
// the agents connect and start together anew.
func (c *Coordinator) FindMax(
	soft, hard context.Context, r loadtest.Request, limits []limit.Threshold, length time.Duration,
) (*loadtest.Result, error) {
	started := time.Now()
	chosen := *c
	by := func(s load.Schedule) (*recording.Recording, error) {
		one := r
		one.Schedule = s
		rec, discard, err := chosen.measure(soft, hard, one)
		if err != nil {
			return nil, err
		}
		discard()
		chosen.Choice.Count = len(rec.Header.Parts) // each rate is tried with as many
		if d := load.Invalid(rec.Final.Doubts); d != nil && d.Name == load.DoubtLost {
			return nil, loadtest.Verdict(rec) // no rate is at fault
		}
		return rec, loadtest.CheckTargets(limits, rec.Header.Targets)
	}
	out, err := c.Search(soft, r, limits, length, loadtest.Searching{Probe: by, Measure: by})
	if out == nil {
		return nil, err
	}
	return out, c.Keep(r, limits, out, started, err)
}

// measure carries out one load test. The recordings of the agents stay in c.Dir until discard is called.
func (c *Coordinator) measure(soft, hard context.Context, r loadtest.Request) (rec *recording.Recording, discard func(), err error) {
	if err := r.Validate(); err != nil {
		return nil, nil, err
	}
	there, heard, err := c.look(soft, nil)
	if err != nil {
		return nil, nil, err
	}
	chosen, err := c.Choice.Choose(there, c.Version)
	if err != nil {
		return nil, nil, err
	}
	work, err := jobs(r, chosen, false)
	if err != nil {
		return nil, nil, err
	}
	t, err := c.begin(there, heard, chosen, work)
	if err != nil {
		return nil, nil, err
	}
	defer t.close()
	t.hear = t.seen.hear
	if err := t.conduct(soft, hard, r); err != nil {
		return nil, nil, err
	}
	if rec, err = t.result(r); err != nil {
		return nil, nil, err
	}
	return rec, t.discard, nil
}

// look asks which agents are there, and when each answered: all, for as long as they may take, or only wanted, which must.
func (c *Coordinator) look(ctx context.Context, wanted []cluster.Hello) (there []cluster.Hello, heard []time.Time, err error) {
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
	there, heard, err = c.Link.Who(ctx, cluster.LostAfter, func(there []cluster.Hello) bool { return missing(there) == nil })
	if w := missing(there); err == nil && w != nil {
		err = fail.New(fail.Invalid, "agent %s was lost: it did not answer for %v", w.Name, cluster.LostAfter)
	}
	return there, heard, err
}

// newName is a name that no other run or group has.
func newName() string { return strings.ToLower(rand.Text()[:12]) }

// begin begins a run of chosen agents, with a job for each. They were heard among those that are there.
func (c *Coordinator) begin(there []cluster.Hello, heard []time.Time, chosen []cluster.Hello, work []json.RawMessage) (*test, error) {
	run := newName()
	t := &test{Coordinator: c, run: run, events: make(chan func(), 4096)}
	var err error
	if t.spool, err = makeSpool(c.Dir, run); err != nil {
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
	spool   *spool
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
	t.spool.close()
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
	err := t.spool.keep(agent, offset, data)
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
func (t *test) conduct(soft, hard context.Context, r loadtest.Request) error {
	tick := time.NewTicker(cluster.Every / 5)
	defer tick.Stop()
	stop := soft.Done()
	for !t.machine.Over() {
		select {
		case <-hard.Done():
			t.machine.Stop(clock())
			return fail.New(fail.Interrupted, "interrupted; the agents stop within %v", cluster.LeaseFor).
				WithHint("what they had recorded so far is in %[1]s: hone load merge %[1]s/*.jsonl", t.spool.path())
		case <-stop:
			t.machine.Stop(clock())
			stop = nil
		case do := <-t.events:
			do()
		case <-tick.C:
			t.machine.Tick(clock())
			t.tell(r)
		}
		if t.failed != nil {
			return t.failed
		}
	}
	return nil
}

// result makes one recording of those of the agents.
func (t *test) result(r loadtest.Request) (*recording.Recording, error) {
	var parts []*recording.Recording
	var doubts []load.Doubt
	notes := []string{}
	for _, m := range t.machine.Members() {
		if m.Complete {
			rec, err := t.spool.read(m.Hello.ID)
			if err != nil {
				return nil, err
			}
			parts = append(parts, rec)
			note := fmt.Sprintf("agent %s (CPUs: %d): connections: %d, answered: %s of %s",
				m.Hello.Name, m.Hello.CPUs, rec.Header.Plan.Connections, units.Count(rec.Final.Counts.Answered), units.Count(rec.Final.Counts.Sent))
			notes = append(notes, note)
		}
		if m.Lost != nil {
			doubts = append(doubts, load.Doubt{Name: load.DoubtLost, Text: m.Lost.Error(), Fatal: !t.KeepGoing})
		}
	}
	if len(parts) == 0 {
		return nil, t.machine.Err()
	}
	apart, uncertain := t.machine.Skew()
	notes = append(notes, fmt.Sprintf("the agents began %v apart, +-%v", apart.Round(10*time.Microsecond), uncertain.Round(10*time.Microsecond)))
	if n := t.machine.Late(); n > 0 {
		notes = append(notes, fmt.Sprintf("%d pieces of recordings came after their agents were lost, and are not part of the result", n))
	}
	return loadtest.Combine(r, parts, doubts, notes)
}

// discard removes what the agents recorded.
func (t *test) discard() {
	if err := t.spool.discard(); err != nil {
		t.Progress.Warn(fmt.Sprintf("remove what agents recorded: %v", err))
	}
}
