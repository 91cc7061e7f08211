package honecli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/gohone/hone/internal/judge/gate"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/judge"
)

// Said is what hone says of a contest, B against A, in one line of results.
type Said struct {
	// Word is the verdict on the deciding measure; for a benchmark that differs itself it is undecided.
	Word judge.Word `json:"verdict"`
	// First is what the first stage said, Confirmed whether a second one found a difference again, and TakenBack why it
	// did not.
	First     judge.Word `json:"first"`
	Confirmed bool       `json:"confirmed,omitempty"`
	TakenBack string     `json:"taken_back,omitempty"`
	// Ratio is B's value divided by A's, with its interval Low to High. High is 0 if there is no interval.
	Ratio float64 `json:"ratio,omitempty"`
	Low   float64 `json:"low,omitempty"`
	High  float64 `json:"high,omitempty"`
	// Excluded is the least change that the verdict excludes, as a fraction; 0 where it excludes none.
	Excluded float64 `json:"excluded,omitempty"`
	// Unmeasured is why hone measured nothing: SameCode or NotExecuted; empty if it did.
	Unmeasured string `json:"unmeasured,omitempty"`
	// FirstDifferent are the keys of the measures that the first stage called different.
	FirstDifferent []string `json:"first_different,omitempty"`
	// Different are the keys of all measures that were called different, "function NAME" and "gate TEXT" where it
	// failed.
	Different []string `json:"different,omitempty"`
	Starts    int      `json:"starts,omitempty"`
	Seconds   float64  `json:"s"`
	// Reason says why the comparison is invalid, or what the benchmark itself differs in.
	Reason string `json:"reason,omitempty"`
}

// Why hone measures nothing: both sides have the same code, or what differs is not executed.
const (
	SameCode    = "same code"
	NotExecuted = "not executed"
)

// Bound is the least change that the verdict excludes: what it says, or the tolerance of the word same; 1 for none.
func (s Said) Bound() float64 {
	switch {
	case s.Unmeasured != "":
		return 0
	case s.Excluded > 0:
		return s.Excluded
	case s.Word == judge.Same:
		return tolerance
	}
	return 1
}

// tolerance is hone's own --delta.
const tolerance = 0.01

// Alarm says whether the verdict is that the sides differ.
func (s Said) Alarm() bool { return s.Word.Different() }

// stages takes what the verdict on the deciding measure says of its two stages. This is the one place that knows how it
// does.
func (s *Said) stages(v judge.Verdict) {
	s.First, s.Confirmed = v.Word, v.Confirmed()
	if v.First == nil {
		return
	}
	s.First = v.First.Word
	if s.First.Different() && !s.Confirmed {
		s.TakenBack = v.Reason
	}
}

// said reads the verdicts of a contest, the deciding one first, and its gates.
func said(verdicts []judge.Verdict, gates []gate.Result, elapsed time.Duration) (s Said) {
	s.Seconds = elapsed.Seconds()
	for i, v := range verdicts {
		if i == 0 {
			s.Word, s.Ratio, s.Starts, s.Excluded = v.Word, v.Ratio, v.Starts, v.Excluded
			if v.Bounded() {
				s.Low, s.High = v.Low, v.High
			}
			s.stages(v)
		}
		if v.Word.Different() {
			s.Different = append(s.Different, v.Measure.Key)
		}
		if v.Word.Different() || v.First != nil && v.First.Word.Different() {
			s.FirstDifferent = append(s.FirstDifferent, v.Measure.Key)
		}
	}
	for _, g := range gates {
		if g.Outcome == gate.Failed {
			s.Different = append(s.Different, "gate "+g.Gate.Text)
		}
	}
	return s
}

// Comparison is what is read of hone compare --json.
type Comparison struct {
	Reason  string
	Word    judge.Word    `json:"verdict"`
	Elapsed time.Duration `json:"elapsed_ns"` // with the builds
	Blocks  int
	// Block is the time of one.
	Block time.Duration `json:"block_time_ns"`
	Gates []gate.Result
	// Stopped is why it ended, Reach what the load executes of the change, as hone reach has it; nil if it did not ask.
	Stopped  string
	Reach    json.RawMessage
	Contests []struct {
		Word judge.Word `json:"verdict"`
		// Verdicts are by measure, that on CPU time per request first.
		Verdicts []judge.Verdict
		Why      *struct{ Changes []struct{ Function string } }
	}
}

// Verdicts are those of the only contest. An invalid comparison may have none, which is an error.
func (c *Comparison) Verdicts() ([]judge.Verdict, error) {
	if len(c.Contests) != 1 || len(c.Contests[0].Verdicts) == 0 {
		return nil, errors.New("read hone's comparison: no verdict in it")
	}
	return c.Contests[0].Verdicts, nil
}

// ReadComparison reads what hone compare prints.
func ReadComparison(text []byte) (*Comparison, error) {
	var d struct {
		Schema     string
		Comparison *Comparison
	}
	err := json.Unmarshal(text, &d)
	c := d.Comparison
	switch {
	case err != nil:
	case d.Schema != "hone.compare/2" || c == nil:
		err = fmt.Errorf("schema %q, want hone.compare/2: build hone and this program from the same source", d.Schema)
	}
	if err != nil {
		return nil, fmt.Errorf("read hone's comparison: %w in %.200q", err, text)
	}
	return c, nil
}

// Compare runs hone compare on two variants. An invalid comparison is a verdict, too.
func (h Hone) Compare(ctx context.Context, args ...string) (Said, error) {
	c, err := h.Compared(ctx, args...)
	if err != nil {
		return Said{}, err
	}
	return c.said()
}

// Compared is Compare with all that is read of it.
func (h Hone) Compared(ctx context.Context, args ...string) (*Comparison, error) {
	var text json.RawMessage
	if _, err := h.Ask(ctx, &text, []int{Regression, Invalid, Undecided}, "compare --quiet --no-report",
		args...); err != nil {
		return nil, err
	}
	return ReadComparison(text)
}

func (c *Comparison) said() (Said, error) {
	if c.Word == judge.Invalid {
		return Said{Word: judge.Invalid, First: judge.Invalid, Seconds: c.Elapsed.Seconds(), Reason: c.Reason}, nil
	}
	verdicts, err := c.Verdicts()
	if err != nil {
		return Said{}, err
	}
	one, s := c.Contests[0], said(verdicts, c.Gates, time.Duration(c.Blocks)*c.Block)
	if one.Word != s.Word { // builds that are equal, or work that B leaves out
		s.Word, s.Confirmed = one.Word, false
		s.Reason = strings.TrimSpace("the contest's word is not the verdict's; " + c.Reason)
	}
	switch c.Stopped {
	case record.StoppedSameSource:
		s.Unmeasured = SameCode
	case record.StoppedUnreached:
		s.Unmeasured = NotExecuted
	}
	if one.Why != nil {
		for _, f := range one.Why.Changes {
			s.Different = append(s.Different, "function "+f.Function)
		}
	}
	return s, nil
}
