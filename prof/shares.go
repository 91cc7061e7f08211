package prof

import (
	"fmt"
	"math"
)

// Shares are what functions take of CPU profiles, each with all that it calls. The collector's work is not a
// function's.
type Shares struct {
	// Samples is how many the profiles have.
	Samples float64
	cum     map[string]float64
	total   float64
	matched *Matched
}

// NewShares counts CPU profiles of production and of a run, also those of other tools. A function has the name that the
// run has for it.
func NewShares(production, run []Capture) (ofProduction, ofRun *Shares, err error) {
	matched := MatchClosures(production, run)
	if ofProduction, err = sharesOf(matched, 0); err != nil {
		return nil, nil, fmt.Errorf("production: %w", err)
	}
	if ofRun, err = sharesOf(matched, 1); err != nil {
		return nil, nil, fmt.Errorf("run: %w", err)
	}
	return ofProduction, ofRun, nil
}

func sharesOf(m *Matched, side int) (*Shares, error) {
	captures := m.Sides[side]
	whole, err := newCoverSide(captures, Code{}, Selection{})
	if err != nil {
		return nil, err
	}
	s := &Shares{Samples: whole.side.Samples, cum: map[string]float64{}, total: whole.total, matched: m}
	for _, c := range captures {
		column, err := cpuColumn(c)
		if err != nil {
			return nil, err
		}
		var frames []frame
		for _, sample := range c.Profile.Sample {
			if frames = appendFrames(frames[:0], sample); isObserver(frames) {
				continue
			}
			seen := map[string]bool{}
			for _, f := range frames {
				if !seen[f.function] {
					seen[f.function] = true
					s.cum[f.function] += float64(sample.Value[column])
				}
			}
		}
	}
	return s, nil
}

// Of is the share of a function, 0 to 1.
func (s *Shares) Of(function string) float64 { return s.cum[s.matched.Name(function)] / s.total }

// Most is the largest share that a function may have of which there is no sample, with 95 % confidence: the rule of
// three (Hanley and Lippman-Hand 1983, "If Nothing Goes Wrong, Is Everything All Right?", JAMA 249).
func (s *Shares) Most() float64 { return math.Min(1, 3/s.Samples) }
