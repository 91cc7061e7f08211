package prof

import (
	"fmt"
	"slices"

	"github.com/google/pprof/profile"

	"github.com/gohone/hone/prof/internal/quantity"
	"github.com/gohone/hone/prof/internal/sampled"
)

// cpuTypes are the names of sample types that hold CPU time or its samples: those of runtime/pprof, Parca, Pyroscope
// and OpenTelemetry's eBPF profiler (cpu, samples), of fgprof (time), of perf_to_profile (cycles); the most exact
// first.
var cpuTypes = []string{"cpu", wallColumn, "samples", "sample", "cycles"}

// wallColumn is what fgprof calls its column: time that counts also while a goroutine waits.
const wallColumn = "time"

// CpuColumn is the column of a CPU profile that shares are taken of. Tools name it differently, and not all of them
// have a column of time: so many samples of one period are in proportion to it. A profile of another kind is an error.
func CpuColumn(c Capture) (int, error) {
	if err := sampled.Check(c.Profile); err != nil {
		return 0, err
	}
	if c.Kind != "" && c.Kind != "cpu" && c.Kind != FgprofKind {
		return 0, fmt.Errorf("it is a profile of the kind %s, want CPU time", c.Kind)
	}
	for _, name := range cpuTypes {
		if i, err := sampled.Column(c.Profile, name); err == nil {
			return i, nil
		}
	}
	return 0, fmt.Errorf("none of its sample types is CPU time: %s", typeList(c.Profile))
}

// AsCPU is a CPU profile of another tool as runtime/pprof would have written it: with the sample types samples and cpu.
// A column that is missing comes from the other by the profile's period. ok is false, and the capture stays as it is,
// if it is a CPU profile already, or none (wall time, too, is none), or if its period is not known.
func AsCPU(c Capture) (as Capture, ok bool) {
	cpu, _ := KindNamed("cpu")
	i, err := CpuColumn(c)
	if err != nil || c.Kind != "" || c.Profile.SampleType[i].Type == wallColumn {
		return c, false
	}
	p := c.Profile
	count := slices.IndexFunc(p.SampleType, func(t *profile.ValueType) bool { return t.Unit == "count" })
	scale, timed := quantity.TimeUnits[quantity.Singular(p.SampleType[i].Unit)]
	period := periodOf(p)
	if (count < 0 || !timed) && period <= 0 {
		return c, false
	}
	out := p.Copy()
	out.SampleType, out.DefaultSampleType = nil, ""
	for _, t := range cpu.SampleTypes {
		out.SampleType = append(out.SampleType, &profile.ValueType{Type: t.Name, Unit: t.Unit})
	}
	for _, s := range out.Sample {
		n, nanos := 0.0, float64(s.Value[i])*scale
		if !timed {
			nanos = float64(s.Value[i]) * period
		}
		if count >= 0 {
			n = float64(s.Value[count])
		} else {
			n = max(1, nanos/period)
		}
		s.Value = []int64{int64(n), int64(nanos)}
	}
	c.Kind, c.Profile = cpu.Name, out
	return c, true
}

// periodOf is the CPU time between two samples in nanoseconds; 0 if the profile does not say it.
func periodOf(p *profile.Profile) float64 {
	if p.PeriodType == nil {
		return 0
	}
	return float64(p.Period) * quantity.TimeUnits[quantity.Singular(p.PeriodType.Unit)]
}
