package service

import (
	"context"
	"maps"
	"slices"

	"github.com/gohone/hone/internal/conduct/lab"
	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/internal/program/build"
	"github.com/gohone/hone/internal/program/plant"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/judge"
	"github.com/gohone/hone/load"
)

// busyProgram is the part of the time of its CPUs from which on a program decides how fast requests without a rate are
// answered: then latency and throughput change as its CPU time does. A less busy one waits, and a wait changes them.
const busyProgram = 0.5

// checkPlanted refuses gates that nothing breaks that can be planted.
func checkPlanted(r lab.Task) error {
	if !r.ProveGate {
		return nil
	}
	if !r.OwnEngine() {
		return fail.New(fail.BadInput, "--prove-gate: only with load of hone's own, on this machine").
			WithHint("leave out the agents or the load command for the proof")
	}
	k := plantable(r, true)
	for _, m := range measure.All {
		k.Figures[m.Key] = 1e9 // so much that no limit is below what is planted
	}
	_, err := plant.For(r.Gates, k)
	return err
}

// plantable is what can be planted in a program that is so busy, without its figures.
func plantable(r lab.Task, busy bool) plant.Known {
	k := plant.Known{ByCPU: []string{measure.CPU.Key}, Figures: judge.Sample{}}
	var times []string
	for _, m := range measure.All {
		switch {
		case m.Quantile > 0:
			times = append(times, m.Key)
		case m.Better == judge.Higher && r.RateHz == 0: // at a rate it stays
			times = append(times, m.Key)
		}
	}
	if busy && r.RateHz == 0 {
		k.ByCPU = append(k.ByCPU, times...)
	} else {
		k.ByWait = times
	}
	return k
}

// plant makes B, which is A so far, cost more than a gate allows, in a function that the load calls with each request.
func (m *services) plant(ctx context.Context) error {
	if !m.Task.ProveGate {
		return nil
	}
	m.Progress.Phase("find a function to plant in", 0)
	a, b := m.sides[0], m.sides[1]
	known, err := m.figuresAlone(ctx, a)
	if err != nil {
		return err
	}
	cost, err := plant.For(m.Task.Gates, known)
	if err != nil {
		return err
	}
	found, err := m.calledByRequests(ctx, a)
	if err != nil {
		return err
	}
	planted, overlay, err := found.Plant(cost)
	if err != nil {
		return err
	}
	m.Progress.Phase("build B with "+planted.String(), 0)
	m.Task.Variants = slices.Clone(m.Task.Variants)
	m.Task.Variants[1].Overlay = overlay
	return m.onAllCPUs(func() error {
		binary, digest, err := m.BuildProgram(ctx, m.Task.Variants[1])
		if err != nil {
			return err
		}
		b.Built = lab.Built{Binary: binary, Digest: digest}
		b.Builds, b.Planted = []*build.Binary{binary}, &planted
		return nil
	})
}

// figuresAlone loads A for a moment, and says what it shows.
func (m *services) figuresAlone(ctx context.Context, v *service) (k plant.Known, err error) {
	s, err := m.startApart(ctx, v, v.Binary, "")
	if err != nil {
		return k, err
	}
	if err := s.warm(ctx); err != nil {
		return k, err
	}
	s.openGauge(ctx)
	used, err := s.process.Counters()
	if err != nil {
		return k, s.or(err)
	}
	before := s.readRuntime(ctx)
	slice, err := s.load(ctx, scheduleOf(m.Task, reachLoad), m.Task.Plan.Timeout)
	if err != nil {
		return k, err
	}
	defer slice.Release()
	after := s.readRuntime(ctx)
	now, err := s.process.Counters()
	if err != nil {
		return k, s.or(err)
	}
	cpu := now.Since(used).AllCPU()
	k = plantable(m.Task, cpu.Seconds() >= busyProgram*slice.Duration.Seconds()*float64(max(1, len(m.Env.SubjectCPUs))))
	if slice.Answered == 0 {
		return k, fail.New(fail.Subject, "--prove-gate: no request was answered")
	}
	takeFigures(k.Figures, slice)
	answered := float64(slice.Answered)
	k.Figures[measure.CPU.Key] = float64(cpu) / answered
	if before != nil && after != nil {
		r := after.runtime.Sub(before.runtime)
		k.Figures[measure.Allocs.Key] = float64(r.AllocObjects) / answered
		k.Figures[measure.Bytes.Key] = float64(r.AllocBytes) / answered
	}
	return k, m.stop()
}

// takeFigures adds what a slice shows of latency and throughput.
func takeFigures(all judge.Sample, slice load.Slice) {
	all[measure.Throughput.Key] = float64(slice.Answered) / slice.Duration.Seconds()
	for _, m := range measure.All {
		h := slice.Latency()
		if m.FirstByte {
			h = slice.FirstByte
		}
		if h != nil && m.Quantile > 0 {
			all[m.Key] = float64(h.ValueAtQuantile(100 * m.Quantile))
		}
	}
}

// calledByRequests is the function that a load calls with each request.
func (m *services) calledByRequests(ctx context.Context, v *service) (found plant.Candidate, err error) {
	side := compiledAs(v.Binary)
	dirs, err := plant.Packages(ctx, side)
	if err != nil {
		return found, err
	}
	binary, err := m.buildCounted(ctx, v, slices.Sorted(maps.Keys(dirs)))
	if err != nil {
		return found, fail.New(fail.Or(fail.Subject, err), "find a function to plant in: %w", err)
	}
	c, err := m.count(ctx, v, side, binary)
	if err != nil {
		return found, fail.New(fail.Or(fail.Subject, err), "find a function to plant in: %w", err)
	}
	found, ok, err := plant.Choose(nil, c.load, int(c.answered), dirs)
	if err == nil && !ok {
		err = fail.New(fail.BadInput, "--prove-gate: no function of the program is called with each request").
			WithHint("load a request that its own functions answer: --path /NAME")
	}
	return found, err
}
