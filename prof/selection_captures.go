package prof

import (
	"errors"
	"slices"
	"time"

	"github.com/google/pprof/profile"

	"github.com/gohone/hone/prof/internal/sampled"
)

// Captures are captures with the samples that the selection leaves. What is known of the whole from elsewhere, the
// clock and the cost of a request, becomes that of the part. Captures of which no sample has a label stay whole:
// filters of labels have nothing to say of them. Where no sample is left that is an error.
func (s Selection) Captures(all []Capture) ([]Capture, error) {
	if s.TagFocus == nil && s.TagIgnore == nil || !slices.ContainsFunc(all, labelled) {
		return all, nil
	}
	var some []Capture
	left := 0
	for _, c := range all {
		p, err := s.Select(c.Profile)
		if err != nil {
			return nil, err
		}
		if column := len(p.SampleType) - 1; column >= 0 && sampled.Sum(c.Profile, column) > 0 {
			share := float64(sampled.Sum(p, column)) / float64(sampled.Sum(c.Profile, column))
			c.Clock, c.PerRequest = time.Duration(share*float64(c.Clock)), share*c.PerRequest
		}
		left += len(p.Sample)
		c.Profile = p
		some = append(some, c)
	}
	if left == 0 {
		return nil, errors.New("no sample has such a label")
	}
	return some, nil
}

// labelled says whether a capture has labels.
func labelled(c Capture) bool {
	return c.Profile != nil && slices.ContainsFunc(c.Profile.Sample,
		func(s *profile.Sample) bool { return len(s.Label)+len(s.NumLabel) > 0 })
}
