package loadtest

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/gohone/hone/internal/store/loadtests"
	"github.com/gohone/hone/internal/store/packed"
	"github.com/gohone/hone/internal/store/recording"
	"github.com/gohone/hone/internal/sys/machine"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/redact"
	"github.com/gohone/hone/internal/wire/answer"
	"github.com/gohone/hone/internal/wire/schemes"
	"github.com/gohone/hone/internal/wire/ws"
	"github.com/gohone/hone/load"
)

// Result is what a load test came to.
type Result struct {
	Recording *recording.Recording
	// Search is how the highest rate was found; nil if none was asked for.
	Search *loadtests.Search
	// Run is the name of the run in the ledger; empty if it is in none.
	Run string
}

// Run carries out one load test. The end of soft ends the sending, waits for what is
// outstanding and keeps the result; the end of hard ends everything at once.
//
// The outcome is nil only if nothing was measured. Beside it stands an error of kind
// Invalid for a measurement that cannot be trusted, Regression for a condition that did
// not hold, Interrupted for a test that the user ended; the first that applies.
func (t *Tester) Run(soft, hard context.Context, r Task) (out *Result, err error) {
	calibration, err := t.calibration(soft, r)
	if err != nil {
		return nil, err
	}
	one, err := t.open(soft, r)
	if err != nil {
		return nil, err
	}
	one.kept = one.keep(r)
	defer func() {
		err = errors.Join(err, one.close())
		err = errors.Join(err, one.kept.end(out, err))
	}()
	if err := one.warm(soft, hard); err != nil {
		return nil, err
	}
	if soft.Err() != nil {
		return nil, fail.New(fail.Interrupted, "interrupted while warming up; nothing was measured")
	}
	if t.Begin != nil {
		if err := t.Begin(soft); err != nil {
			return nil, err
		}
	}
	rec, err := one.measure(soft, hard, r.Schedule, calibration, one.kept.slice)
	if rec == nil {
		return nil, err
	}
	return &Result{Recording: rec}, errors.Join(err, Verdict(rec))
}

// measure loads as the schedule says and judges what came of it. each hears of every slice of the
// recording; it may be nil.
func (t *test) measure(
	soft, hard context.Context, s load.Schedule, calibration *recording.Calibration, each func(packed.Slice),
) (*recording.Recording, error) {
	h, err := t.header(s)
	if err != nil {
		return nil, err
	}
	h.Calibration = calibration
	j, err := t.journal(h)
	if err != nil {
		return nil, err
	}
	j.each = each
	t.Progress.Phase("load "+redact.URL(t.task.Target), s.Length())
	pauses, cpu, day := readPauses(), machine.ReadCPUTimes(), machine.WatchWall(t.Wall)
	lost := t.run(soft, hard, s, j.tick(), func(got load.Slice) error {
		t.tick(s, got)
		return j.slice(got)
	})
	final := recording.Final{
		Connect: t.session.Connects(), Pauses: readPauses().since(pauses),
		Interrupted: soft.Err() != nil || hard.Err() != nil,
	}
	note := func(format string, args ...any) { final.Notes = append(final.Notes, fmt.Sprintf(format, args...)) }
	if steal := machine.ReadCPUTimes().StealSince(cpu); steal >= noticeableSteal {
		note("the host gave %.1f %% of this machine's CPU time to others during the test (steal)", 100*steal)
	}
	if said := day.Stepped(); said != "" {
		note("%s", said)
	}
	final.Notes = append(final.Notes, t.target.Notes()...)
	return j.close(final, t.task, lost)
}

// noticeableSteal is the share of CPU time lost to the host from which it is told.
const noticeableSteal = 0.005

// doubtsOf are the doubts about a recording that came to tally.
func doubtsOf(rec *recording.Recording, tally load.Tally, r Task) []load.Doubt {
	return append(ws.OrderDoubt(rec.Final.Notes), load.Evidence{
		Plan: r.Plan, Schedule: rec.Header.Schedule, Tally: tally, Pace: true,
		MaxWrongShare: allowedErrors(r.FailIf), Pauses: rec.Final.Pauses,
	}.Judge()...)
}

// Verdict is the error that a recording amounts to: of kind Invalid, Regression or
// Interrupted, see Run; nil for none.
func Verdict(rec *recording.Recording) error {
	if d := load.Invalid(rec.Final.Doubts); d != nil && !rec.Final.Interrupted {
		return fail.New(fail.Invalid, "measurement invalid: %s%s", d.Text, answer.FirstOf(rec.Final.Notes)).WithHint("%s",
			HintFor(*d))
	}
	if err := Broken(rec.Final.Thresholds); err != nil {
		return err
	}
	if rec.Final.Interrupted {
		return fail.New(fail.Interrupted, "interrupted; the result covers what was sent until then")
	}
	return nil
}

// Broken is the error of a test of which a condition of --fail-if held, of kind Regression; nil for none.
func Broken(conditions []recording.ThresholdResult) error {
	for _, c := range conditions {
		if c.Failed {
			return fail.New(fail.Regression, "%s: measured %s", c.Rule, c.Measured)
		}
	}
	return nil
}

// HintFor says what to try about a doubt. Commands in it are as in service.HintFor.
func HintFor(d load.Doubt) string {
	switch d.Name {
	case load.DoubtWithheld, load.DoubtNoAnswer:
		return "look for a writer that is not flushed before the server waits for more input; if the service is only slow, raise --timeout"
	case load.DoubtUnmatched:
		if strings.Contains(d.Text, "--set ws.skip") {
			return "where answers carry the id of a request, name its place: --set ws.id=PATH, with {n} in --body; else name the messages that answer nothing: --set ws.skip=PATH, --set ws.skip='~EXPRESSION'"
		}
		return "the service answers, but with other ids than the requests had: check the scheme of the target (tcp://: --set tcp.id-offset, --set tcp.id-width), then the service"
	case load.DoubtEndless:
		return "an answer without end is never whole: end each request after some messages (--set stream.messages=100) or a time (--set stream.for=10s); if these do end, allow them more time: --timeout 1m"
	case load.DoubtWrong:
		return "look at the errors by cause; where errors are part of the test, say how many: --fail-if 'errors>5%'"
	case load.DoubtLive:
		return "the service closed connections: look at its log, or use fewer with -c"
	case load.DoubtSaturated:
		return "the load generator is the limit: more --set workers or CPUs for it, or a --rate below its ceiling (--calibrate measures it)"
	case load.DoubtRate:
		return "where the service is the limit, --find-max 'p99<10ms' instead of --rate finds the rate it can take"
	case load.DoubtLost:
		return "look at the agent's log and at the network between; --set agents.keep-going goes on with the agents that are left"
	default:
		return "run it again on a quieter machine; to look at this one: hone doctor"
	}
}

// calibration measures the generator, if the task asks for it.
func (t *Tester) calibration(ctx context.Context, r Task) (*recording.Calibration, error) {
	if !r.CalibrateFirst {
		return nil, nil
	}
	target, err := schemes.Parse(r.Target, r.Protocol)
	if err != nil {
		return nil, err
	}
	return t.Calibrate(ctx, target.Scheme, r.Plan, r.Schedule.Own().TopRate())
}
