package pyroscope

import (
	"bytes"
	"fmt"
	"strings"
	"time"

	"github.com/google/pprof/profile"

	"github.com/gohone/hone/prof"
)

// names are what Pyroscope calls kinds of profiles that hone calls otherwise.
var names = map[string]string{"cpu": "process_cpu", "allocs": "memory", "heap": "memory"}

// FromCapture makes a profile for Pyroscope of one that hone took. Of the four values of allocs and heap only their own
// two are kept, since both have the one name memory there. started is for profiles without a time of their own.
func FromCapture(c prof.Capture, started time.Time, labels map[string]string) (Profile, error) {
	p := c.Profile.Copy()
	switch c.Kind {
	case "allocs":
		keepValues(p, "alloc_")
	case "heap":
		keepValues(p, "inuse_")
	}
	if p.TimeNanos == 0 {
		p.TimeNanos = started.UnixNano()
	}
	if p.DurationNanos == 0 {
		p.DurationNanos = c.Duration.Nanoseconds()
	}
	var b bytes.Buffer
	if err := p.Write(&b); err != nil {
		return Profile{}, fmt.Errorf("write %s profile: %w", c.Kind, err)
	}
	name, other := names[c.Kind]
	if !other {
		name = c.Kind
	}
	return Profile{Name: name, Data: b.Bytes(), Labels: labels}, nil
}

// keepValues leaves the values whose type has a prefix, if there are any.
func keepValues(p *profile.Profile, prefix string) {
	var kept []int
	var types []*profile.ValueType
	for i, t := range p.SampleType {
		if strings.HasPrefix(t.Type, prefix) {
			kept, types = append(kept, i), append(types, t)
		}
	}
	if len(kept) == 0 {
		return
	}
	p.SampleType = types
	if !strings.HasPrefix(p.DefaultSampleType, prefix) {
		p.DefaultSampleType = types[len(types)-1].Type
	}
	for _, s := range p.Sample {
		var values []int64
		for _, i := range kept {
			values = append(values, s.Value[i])
		}
		s.Value = values
	}
}
