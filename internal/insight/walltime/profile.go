package walltime

import (
	"math"

	"github.com/google/pprof/profile"
)

// sample is the time of a cohort on one chain, per request.
type sample struct {
	cohort string
	label  Label
	chain  []chain // the request's own stack first
	nanos  float64
}

// links lists a chain, the request's own stack first.
func (w *walker) links(id chainID) []chain {
	if id == 0 {
		return nil
	}
	c := w.chains[id]
	return append(w.links(c.before), c)
}

// The sample types of a wait profile, all in nanoseconds of a request. Wall is the sum of the
// others and of what is not the program's: network, kernel, generator.
var sampleTypes = []string{"wall", "running", "runnable", "syscall", "blocked"}

// Profile is the digest as a profile in pprof's format: nanoseconds per request, with the labels cohort, state and,
// where there are some, reason (the call of a library) and behind. The frames of the goroutine that was waited for lie
// under a frame [woken by] or [waiting to run behind].
func (d *Digest) Profile() *profile.Profile {
	b := &builder{profile: &profile.Profile{TimeNanos: 0, DurationNanos: d.TraceNanos},
		locations: map[Frame]*profile.Location{}, functions: map[Frame]*profile.Function{}}
	for _, name := range sampleTypes {
		b.profile.SampleType = append(b.profile.SampleType, &profile.ValueType{Type: name, Unit: "nanoseconds"})
	}
	b.profile.DefaultSampleType = sampleTypes[0]
	for _, s := range d.samples {
		b.add(d.stacks, s)
	}
	return b.profile
}

type builder struct {
	profile   *profile.Profile
	locations map[Frame]*profile.Location
	functions map[Frame]*profile.Function // by frames without their line
}

func (b *builder) add(all *stacks, s sample) {
	nanos := int64(math.Round(s.nanos))
	if nanos == 0 {
		return
	}
	one := &profile.Sample{Label: map[string][]string{"cohort": {s.cohort}, "state": {string(s.label.State)}}}
	one.Value = make([]int64, len(sampleTypes))
	one.Value[0] = nanos
	if c := columnOf(s.chain[0].kind); c > 0 {
		one.Value[c] = nanos
	}
	if s.label.Library != "" {
		one.Label["reason"] = []string{s.label.Library}
	}
	if s.label.Behind != nil {
		one.Label["behind"] = []string{string(s.label.Behind.State)}
	}
	for i := len(s.chain) - 1; i >= 0; i-- { // pprof wants the innermost first
		for _, f := range framesOf(all, s.chain[i]) {
			one.Location = append(one.Location, b.location(f))
		}
		switch s.chain[i].link {
		case wokeUp:
			one.Location = append(one.Location, b.location(Frame{Function: "[woken by]"}))
		case ahead:
			one.Location = append(one.Location, b.location(Frame{Function: "[waiting to run behind]"}))
		}
	}
	b.profile.Sample = append(b.profile.Sample, one)
}

// columnOf is the sample type that the request's own state belongs to; 0 if it is none of the program's.
func columnOf(k kind) int {
	switch k {
	case kindRunning, kindCollector:
		return 1
	case kindRunnable, kindStopped, kindThrottled, kindHalted, kindPreempted, kindStolen:
		return 2
	case kindSyscall:
		return 3
	case kindLock, kindWait, kindChannel, kindQueue, kindNetwork, kindSleep:
		return 4
	}
	return 0
}

// pseudo are frames for time that has no stack of its own.
var pseudo = map[kind]string{
	kindBefore: "[network and kernel, before]", kindAfter: "[network, kernel and generator, after]",
	kindUnsent: "[not sent yet]", kindUnknown: "[not explained]", kindStopped: "[world stopped]",
	kindThrottled: "[held back by the CPU quota]", kindHalted: "[stopped by a signal]",
	kindPreempted: "[other programs have the CPU]", kindStolen: "[the host has the CPU]",
}

// framesOf are the frames of a link of a chain, the innermost first. Where a goroutine ran, the
// trace knows the stack at the end of the stretch only: the calls that ended it are left out.
func framesOf(all *stacks, c chain) []Frame {
	frames := all.framesOf(c.stack)
	if c.kind == kindRunning || c.kind == kindOthers {
		frames = trimEnd(frames)
	}
	if name := pseudo[c.kind]; name != "" {
		frames = append([]Frame{{Function: name}}, frames...)
	}
	return frames
}

func (b *builder) location(f Frame) *profile.Location {
	if at, ok := b.locations[f]; ok {
		return at
	}
	key := Frame{Function: f.Function, File: f.File}
	fn := b.functions[key]
	if fn == nil {
		fn = &profile.Function{ID: uint64(len(b.functions) + 1), Name: f.Function, SystemName: f.Function,
			Filename: f.File}
		b.functions[key] = fn
		b.profile.Function = append(b.profile.Function, fn)
	}
	at := &profile.Location{ID: uint64(len(b.profile.Location) + 1),
		Line: []profile.Line{{Function: fn, Line: int64(f.Line)}}}
	b.profile.Location = append(b.profile.Location, at)
	b.locations[f] = at
	return at
}
