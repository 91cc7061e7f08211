package production

import (
	"fmt"
	"math"

	"github.com/gohone/hone/prof"
	"github.com/gohone/hone/prof/diff"
	"github.com/gohone/hone/prof/symbol"
)

// Shares are what functions take of CPU profiles, each with all that it calls. The collector's work is not a
// function's.
type Shares struct {
	// Samples is how many the profiles have.
	Samples float64
	cum     map[string]float64
	total   float64
	matched *diff.Matched
}

// NewShares counts CPU profiles of production and of a run, also those of other tools. A function has the name that the
// run has for it.
func NewShares(production, run []prof.Capture) (ofProduction, ofRun *Shares, err error) {
	matched := diff.MatchClosures(production, run)
	if ofProduction, err = sharesOf(matched, 0); err != nil {
		return nil, nil, fmt.Errorf("production: %w", err)
	}
	if ofRun, err = sharesOf(matched, 1); err != nil {
		return nil, nil, fmt.Errorf("run: %w", err)
	}
	return ofProduction, ofRun, nil
}

func sharesOf(m *diff.Matched, side int) (*Shares, error) {
	captures := m.Sides[side]
	whole, err := newCoverSide(captures, prof.Code{}, prof.Selection{})
	if err != nil {
		return nil, err
	}
	s := &Shares{Samples: whole.side.Samples, cum: map[string]float64{}, total: whole.total, matched: m}
	for _, c := range captures {
		column, err := prof.CpuColumn(c)
		if err != nil {
			return nil, err
		}
		var frames []symbol.Frame
		for _, sample := range c.Profile.Sample {
			if frames = symbol.AppendFrames(frames[:0], sample); symbol.IsObserver(frames) {
				continue
			}
			seen := map[string]bool{}
			for _, f := range frames {
				if !seen[f.Function] {
					seen[f.Function] = true
					s.cum[f.Function] += float64(sample.Value[column])
				}
			}
		}
	}
	return s, nil
}

// Of is the share of a function, 0 to 1.
func (s *Shares) Of(function string) float64 { return s.cum[s.matched.Name(function)] / s.total }

// Most is the largest share that a function without a single sample may have, with 95 % confidence: the rule of
// three (Hanley and Lippman-Hand 1983, "If Nothing Goes Wrong, Is Everything All Right?", JAMA 249).
func (s *Shares) Most() float64 { return math.Min(1, 3/s.Samples) }
