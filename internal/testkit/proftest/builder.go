package proftest

import (
	"math/rand/v2"
	"strconv"
	"strings"

	"github.com/google/pprof/profile"
)

// Builder makes profiles by hand.
type Builder struct {
	P         *profile.Profile
	functions map[string]*profile.Function
}

// Build starts a profile; types are as in "cpu/nanoseconds".
func Build(types ...string) *Builder {
	b := &Builder{P: &profile.Profile{PeriodType: &profile.ValueType{}}, functions: map[string]*profile.Function{}}
	for _, t := range types {
		name, unit, _ := strings.Cut(t, "/")
		b.P.SampleType = append(b.P.SampleType, &profile.ValueType{Type: name, Unit: unit})
	}
	return b
}

// Tick is the time of a tick of a CPU profile, in nanoseconds: of the usual 100 Hz.
const Tick = 10_000_000

// BuildCPU starts a CPU profile.
func BuildCPU() *Builder { return Build("samples/count", "cpu/nanoseconds") }

// Ticks adds a CPU sample of n ticks.
func (b *Builder) Ticks(n int64, stack string) *Builder { return b.Sample(stack, n, n*Tick) }

// Sample adds a sample. The stack lists frames, leaf first, as function or
// function@file:line or function@file:line:first line of the function, separated by " < ";
// "a + b" is one location with a inlined into b.
func (b *Builder) Sample(stack string, values ...int64) *Builder {
	s := &profile.Sample{Value: values}
	for _, location := range strings.Split(stack, " < ") {
		l := &profile.Location{ID: uint64(len(b.P.Location) + 1)}
		for _, f := range strings.Split(location, " + ") {
			l.Line = append(l.Line, b.line(f))
		}
		b.P.Location = append(b.P.Location, l)
		s.Location = append(s.Location, l)
	}
	b.P.Sample = append(b.P.Sample, s)
	return b
}

func (b *Builder) line(spec string) profile.Line {
	name, place, _ := strings.Cut(strings.TrimSpace(spec), "@")
	file, line, _ := strings.Cut(place, ":")
	line, begins, _ := strings.Cut(line, ":")
	f := b.functions[name]
	if f == nil {
		f = &profile.Function{ID: uint64(len(b.P.Function) + 1), Name: name, Filename: file}
		f.StartLine, _ = strconv.ParseInt(begins, 10, 64)
		b.functions[name] = f
		b.P.Function = append(b.P.Function, f)
	}
	n, _ := strconv.ParseInt(line, 10, 64)
	return profile.Line{Function: f, Line: n}
}

// Poisson draws by Knuth's method in steps small enough for it.
func Poisson(rng *rand.Rand, mean float64) (n int64) {
	for mean > 0 {
		step := min(mean, 1)
		mean -= step
		for rest := rng.ExpFloat64(); rest < step; rest += rng.ExpFloat64() {
			n++
		}
	}
	return n
}
