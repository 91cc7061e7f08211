package pprofweb

import (
	"errors"
	"fmt"

	"github.com/google/pprof/profile"

	"github.com/gohone/hone/prof"
)

// baseLabel marks the samples of a base, as the option -diff_base of go tool pprof does;
// its pages relate percentages to them. profile.Sample.DiffBaseSample reads it.
const baseLabel = "pprof::base"

// maxFrames bounds what pprof makes of all stacks for one page: some 200 MB. It is a
// hundred thousand stacks of 100 frames.
const maxFrames = 10_000_000

// prepare copies a capture's profile for pprof, which changes what it is given. pprof looks
// for mapped files by their build ids, which a profile may spell as it likes, so these go.
func prepare(c prof.Capture) (*profile.Profile, error) {
	if c.Profile == nil {
		return nil, errors.New("no profile")
	}
	if err := c.Profile.CheckValid(); err != nil {
		return nil, err
	}
	frames := 0
	for _, s := range c.Profile.Sample {
		for _, l := range s.Location {
			frames += max(1, len(l.Line))
		}
	}
	if frames > maxFrames {
		return nil, fmt.Errorf("%w: %d frames, of which pprof writes every one into its flame graph; its pages are for at most %d. hone profile flame shows it", prof.ErrLimit, frames, maxFrames)
	}
	p := c.Profile.Copy()
	for _, m := range p.Mapping {
		m.BuildID = ""
	}
	if k, err := prof.KindNamed(c.Kind); err == nil {
		if _, err := p.SampleIndexByName(k.Default); err == nil {
			p.DefaultSampleType = k.Default
		}
	}
	return p, nil
}

// difference is what c costs more than base, and by what the base was multiplied so that
// both are for the same number of requests; 0 where that is not known.
func difference(c, base prof.Capture) (diff *profile.Profile, factor float64, err error) {
	run, err := prepare(c)
	if err != nil {
		return nil, 0, err
	}
	was, err := prepare(base)
	if err != nil {
		return nil, 0, fmt.Errorf("base: %w", err)
	}
	was.SetLabel(baseLabel, []string{"true"})
	c.Profile, base.Profile = run, was
	return prof.Subtract(c, base)
}
