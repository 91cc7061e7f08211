package honecli

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/gohone/hone/internal/judge/compare"
)

// Said is what hone says of a contest, B against A, in one line of results.
type Said struct {
	// Word is the verdict on the deciding measure; for a benchmark that differs itself it is undecided.
	Word compare.Word `json:"verdict"`
	// First is what the first stage said, Confirmed whether a second one found a difference again, and TakenBack why it did not.
	First     compare.Word `json:"first"`
	Confirmed bool         `json:"confirmed,omitempty"`
	TakenBack string       `json:"taken_back,omitempty"`
	// Ratio is B's value over A's, High is 0 where there is no interval.
	Ratio float64 `json:"ratio,omitempty"`
	Low   float64 `json:"low,omitempty"`
	High  float64 `json:"high,omitempty"`
	// FirstDifferent are the keys of the measures that the first stage called different.
	FirstDifferent []string `json:"first_different,omitempty"`
	// Different are the keys of all measures that were called different, "function NAME" and "gate TEXT" where it failed.
	Different []string `json:"different,omitempty"`
	Starts    int      `json:"starts,omitempty"`
	Seconds   float64  `json:"s"`
	// Reason says why the comparison is invalid, or what the benchmark itself differs in.
	Reason string `json:"reason,omitempty"`
}

// Alarm says whether the verdict is that the sides differ.
func (s Said) Alarm() bool { return differs(s.Word) }

func differs(w compare.Word) bool { return w == compare.Faster || w == compare.Slower }

// stages takes what the verdict on the deciding measure says of its two stages. This is the one place that knows how it does.
func (s *Said) stages(v compare.Verdict) {
	s.First, s.Confirmed = v.Word, v.Confirmed()
	if v.First == nil {
		return
	}
	s.First = v.First.Word
	if differs(s.First) && !s.Confirmed {
		s.TakenBack = v.Reason
	}
}

// said reads the verdicts of a contest, the deciding one first, and its gates.
func said(verdicts []compare.Verdict, gates []compare.GateResult, elapsed time.Duration) (s Said) {
	s.Seconds = elapsed.Seconds()
	for i, v := range verdicts {
		if i == 0 {
			s.Word, s.Ratio, s.Starts = v.Word, v.Ratio, v.Starts
			if v.Bounded() {
				s.Low, s.High = v.Low, v.High
			}
			s.stages(v)
		}
		if v.Different() {
			s.Different = append(s.Different, v.Measure.Key)
		}
		if v.Different() || v.First != nil && differs(v.First.Word) {
			s.FirstDifferent = append(s.FirstDifferent, v.Measure.Key)
		}
	}
	for _, g := range gates {
		if g.Outcome == compare.Failed {
			s.Different = append(s.Different, "gate "+g.Gate.Text)
		}
	}
	return s
}

// comparisonAnswer is what is read of hone compare --json.
type comparisonAnswer struct {
	Schema     string
	Comparison *struct {
		Reason   string
		Verdict  compare.Word
		Elapsed  time.Duration `json:"elapsed_ns"`
		Blocks   int
		Block    time.Duration `json:"block_time_ns"`
		Gates    []compare.GateResult
		Contests []struct {
			Word     compare.Word `json:"verdict"`
			Verdicts []compare.Verdict
			Why      *struct{ Changes []struct{ Function string } }
		}
	}
}

// Compare runs hone compare on two variants. An invalid comparison is a verdict, too.
func (h Hone) Compare(ctx context.Context, args ...string) (Said, error) {
	var d comparisonAnswer
	done, err := h.Ask(ctx, &d, []int{Regression, Invalid, Undecided}, "compare --quiet --no-report", args...)
	if err != nil {
		return Said{}, err
	}
	s, err := d.said()
	if err != nil {
		err = fmt.Errorf("read what hone compare prints: %w in %.200q", err, done.Stdout)
	}
	return s, err
}

func (d comparisonAnswer) said() (Said, error) {
	c := d.Comparison
	if d.Schema != "hone.compare/2" || c == nil {
		return Said{}, fmt.Errorf("schema %q: want hone.compare/2", d.Schema)
	}
	if len(c.Contests) != 1 || len(c.Contests[0].Verdicts) == 0 {
		if c.Verdict == compare.Invalid {
			return Said{Word: compare.Invalid, First: compare.Invalid, Seconds: c.Elapsed.Seconds(), Reason: c.Reason}, nil
		}
		return Said{}, fmt.Errorf("%d contests: want one with its verdicts", len(c.Contests))
	}
	one := c.Contests[0]
	s := said(one.Verdicts, c.Gates, time.Duration(c.Blocks)*c.Block) // Elapsed has the builds, too
	if one.Word != s.Word {                                           // builds that are equal, or work that B leaves out
		s.Word, s.Confirmed = one.Word, false
		s.Reason = strings.TrimSpace("the contest's word is not the verdict's; " + c.Reason)
	}
	if one.Why != nil {
		for _, f := range one.Why.Changes {
			s.Different = append(s.Different, "function "+f.Function)
		}
	}
	return s, nil
}
