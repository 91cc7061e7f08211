package prof

import "math"

// Shares are what functions take of CPU profiles, each with all that it calls. The collector's work is not a function's.
type Shares struct {
	// Samples is how many the profiles have.
	Samples float64
	cum     map[string]float64
	total   float64
}

// NewShares counts CPU profiles, also those of other tools. some chooses samples by their labels.
func NewShares(captures []Capture, some Selection) (*Shares, error) {
	whole, err := newCoverSide(captures, Code{}, some)
	if err != nil {
		return nil, err
	}
	s := &Shares{Samples: whole.side.Samples, cum: map[string]float64{}, total: whole.total}
	for _, c := range captures {
		column, err := cpuColumn(c)
		if err != nil {
			return nil, err
		}
		p, err := some.Select(c.Profile)
		if err != nil {
			return nil, err
		}
		var frames []frame
		for _, sample := range p.Sample {
			if frames = appendFrames(frames[:0], sample); isObserver(frames) {
				continue
			}
			seen := map[string]bool{}
			for _, f := range frames {
				if name := canonical(f.function); !seen[name] {
					seen[name] = true
					s.cum[name] += float64(sample.Value[column])
				}
			}
		}
	}
	return s, nil
}

// Of is the share of a function, 0 to 1.
func (s *Shares) Of(function string) float64 { return s.cum[canonical(function)] / s.total }

// Most is the largest share that a function may have of which there is no sample, with 95 % confidence: the rule of three (Hanley and
// Lippman-Hand 1983, "If Nothing Goes Wrong, Is Everything All Right?", JAMA 249).
func (s *Shares) Most() float64 { return math.Min(1, 3/s.Samples) }
