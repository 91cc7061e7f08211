package prof

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/google/pprof/profile"

	"github.com/gohone/hone/prof/internal/sampled"
)

// noteMark begins the comment in which a profile's file keeps what is known of its
// capture; go tool pprof -comments prints it.
const noteMark = "hone:"

// Write writes the capture as a gzipped profile that carries its kind, its operations, its
// duration and its clock in a comment. The profile stays as it is.
func (c Capture) Write(w io.Writer) error {
	if c.Profile == nil {
		return errors.New("write capture: no profile")
	}
	p := c.Profile
	before := p.Comments
	defer func() { p.Comments = before }()
	note := fmt.Sprintf("%s kind=%s operations=%d duration=%v cpu=%v", noteMark, c.Kind, c.Operations, c.Duration,
		c.Clock)
	if c.Start > 0 {
		note += fmt.Sprintf(" start=%d", c.Start)
	}
	if c.Procs > 0 {
		note += fmt.Sprintf(" procs=%d", c.Procs)
	}
	p.Comments = append(slices.DeleteFunc(slices.Clone(before), isNote), note)
	if err := p.Write(w); err != nil {
		return fmt.Errorf("write %s capture: %w", c.Kind, err)
	}
	return nil
}

func isNote(comment string) bool { return strings.HasPrefix(comment, noteMark) }

// ReadCapture reads a profile as Parse does, with what Write kept of its capture. Of other
// profiles the kind is guessed by the sample types, the duration is the profile's own, and
// the operations are not known (0).
func ReadCapture(r io.Reader, l Limits) (Capture, error) {
	p, err := Parse(r, l)
	if err != nil {
		return Capture{}, err
	}
	c := Capture{Profile: p, Kind: KindOf(p), Duration: time.Duration(p.DurationNanos)}
	for _, comment := range p.Comments {
		if isNote(comment) {
			if err := c.readNote(comment); err != nil {
				return Capture{}, fmt.Errorf("read capture: comment %q: %w", comment, err)
			}
		}
	}
	return c, nil
}

func (c *Capture) readNote(comment string) error {
	for _, word := range strings.Fields(strings.TrimPrefix(comment, noteMark)) {
		key, value, _ := strings.Cut(word, "=")
		var err error
		switch key {
		case "kind":
			c.Kind = value
		case "operations":
			c.Operations, err = strconv.ParseUint(value, 10, 64)
		case "duration":
			c.Duration, err = time.ParseDuration(value)
		case "cpu":
			c.Clock, err = time.ParseDuration(value)
		case "start":
			c.Start, err = strconv.Atoi(value)
		case "procs":
			c.Procs, err = strconv.Atoi(value)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", key, err)
		}
	}
	return nil
}

// KindOf returns the kind whose sample types a profile has; heap and allocs differ in
// their default only, and of mutex and block nothing tells which it is. Empty for none.
func KindOf(p *profile.Profile) string {
	for _, k := range Kinds {
		if k.sampled(p) && (k.Name != "allocs" || p.DefaultSampleType == k.Default) {
			return k.Name
		}
	}
	return ""
}

// MergeCaptures adds up captures of one kind and one program: profiles, operations and durations. Its clock, if all
// have one, gives the costs per request that the captures have together: the requests of each count by what its profile
// saw of its clock.
func MergeCaptures(all []Capture) (Capture, error) {
	if len(all) == 0 {
		return Capture{}, errors.New("merge captures: there are none")
	}
	if len(all) == 1 {
		return all[0], nil
	}
	sum := Capture{Kind: all[0].Kind, Procs: all[0].Procs}
	var profiles []*profile.Profile
	requests := 0.0
	for _, c := range all {
		if c.Kind != sum.Kind {
			return Capture{}, fmt.Errorf("merge captures: kinds %s and %s", sum.Kind, c.Kind)
		}
		profiles = append(profiles, c.Profile)
		sum.Operations += c.Operations
		sum.Duration += c.Duration
		requests += c.Requests()
		sum.Procs = min(sum.Procs, c.Procs)
	}
	var err error
	if sum.Profile, err = profile.Merge(profiles); err != nil {
		return Capture{}, fmt.Errorf("merge captures: %w", err)
	}
	if slices.ContainsFunc(all, func(c Capture) bool { return c.Clock <= 0 }) || sum.Kind != "cpu" {
		return sum, nil
	}
	if i, err := sampled.Column(sum.Profile, "cpu"); err == nil && requests > 0 {
		sum.Clock = time.Duration(float64(sampled.Sum(sum.Profile, i)) * float64(sum.Operations) / requests)
	}
	return sum, nil
}
