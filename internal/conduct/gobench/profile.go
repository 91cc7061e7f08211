package gobench

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"github.com/gohone/hone/internal/conduct/conclusion"
	"github.com/gohone/hone/internal/conduct/gobench/benchtext"
	"github.com/gohone/hone/internal/judge/compare"
	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/inputs"
	"github.com/gohone/hone/judge"
	"github.com/gohone/hone/prof"
	"github.com/gohone/hone/prof/diff"
)

// Keep stores the captures of one side of a benchmark, with the label and the source that the
// row has and the path of its module, and returns the name of the run that they became.
type Keep func(row ledger.Run, module string, captures []prof.Capture) (run string, err error)

const (
	// profilePasses is how many profiles of each kind are taken of each side: their scatter
	// is the noise that differences are held against.
	profilePasses = 3
	// longProfile is about how long the profiled process of one pass runs: 100 ticks.
	longProfile = time.Second
)

// takenProfiles are those of a benchmark, of A and B.
type takenProfiles struct {
	profiles [2]string // runs of the ledger
	captures [2][]prof.Capture
}

// profileAll takes profiles of every benchmark, after the rounds, so that what is timed
// has no profiler in it; the sides take turns, in random order.
func (m *measurement) profileAll(ctx context.Context) error {
	if m.task.KeepProfiles == nil {
		return nil
	}
	for _, b := range m.benches {
		if b.Lost() {
			continue
		}
		m.task.Progress.Phase("profile "+b.name, 2*profilePasses*m.profileTime())
		if err := m.profileBoth(ctx, b); err != nil && !m.loseBench(b, err) {
			return err
		}
	}
	return nil
}

// profileBoth takes and stores the profiles of one benchmark on both sides.
func (m *measurement) profileBoth(ctx context.Context, b *bench) error {
	var captures [2][]prof.Capture
	for range profilePasses {
		for _, side := range m.rng.Perm(2) {
			taken, err := m.profile(ctx, b, side)
			if err != nil {
				return err
			}
			captures[side] = append(captures[side], taken...)
		}
	}
	for i, s := range m.sides {
		row := ledger.Run{
			Label:   fmt.Sprintf("%s of %s (%s: %s)", b.name, b.pkg.path, s.Name, s.Label),
			Package: b.pkg.path, Commit: s.Commit, Dirty: s.Dirty,
		}
		run, err := m.task.KeepProfiles(row, b.pkg.found[i].ModulePath(), captures[i])
		if err != nil {
			return err
		}
		b.profiles[i], b.captures[i] = run, captures[i]
	}
	return nil
}

// explained says by the profiles what a benchmark that is called different does more or less; nil if there are none, or
// they cannot be compared. The whole that profiles of CPU time divide is the CPU time, of all threads, where it was
// measured.
func (b *bench) explained(verdicts []judge.Verdict) *diff.Explanation {
	if len(verdicts) == 0 || !verdicts[0].Word.Different() || b.captures[0] == nil || b.captures[1] == nil {
		return nil
	}
	v := verdicts[0]
	whole, ok := compare.Whole(v)
	if i := slices.IndexFunc(verdicts, func(v judge.Verdict) bool {
		return v.Measure.Key == measure.OperationCPU.Key
	}); i > 0 {
		if cpu, known := compare.Whole(verdicts[i]); known {
			whole, ok = cpu, true
		}
	}
	if !ok {
		return nil
	}
	o := diff.WhyOptions{Code: b.code(), AllocatesToo: slices.ContainsFunc(verdicts, func(of judge.Verdict) bool {
		return of.Measure.Key == measure.OperationBytes.Key && of.Word.Different() && (of.Ratio < 1) == (v.Ratio < 1)
	})}
	e, err := diff.Why(of("cpu", b.captures[0]), of("cpu", b.captures[1]), whole, v.Ratio < 1, o)
	if err != nil {
		return nil
	}
	return e
}

// explainedAllocs says by the profiles which lines allocate more or less, if the allocations are called different.
func (b *bench) explainedAllocs(verdicts []judge.Verdict) *diff.Explanation {
	i := slices.IndexFunc(verdicts, func(v judge.Verdict) bool { return v.Measure.Key == measure.OperationAllocs.Key })
	if i < 0 || !verdicts[i].Word.Different() {
		return nil
	}
	v := verdicts[i] // go test counts them; the profiles are samples
	e, err := conclusion.WhyAllocs(of("allocs", b.captures[0]), of("allocs", b.captures[1]), diff.Whole{A: v.A, B: v.B}, v,
		b.code())
	if err != nil {
		return nil
	}
	return e
}

// code is what of the code is the user's.
func (b *bench) code() prof.Code {
	return prof.Code{Module: b.pkg.found[1].ModulePath(), MainPackage: b.pkg.path}
}

// of are the captures of a kind.
func of(kind string, captures []prof.Capture) (some []prof.Capture) {
	for _, c := range captures {
		if c.Kind == kind {
			some = append(some, c)
		}
	}
	return some
}

// profile runs a benchmark in a process with a CPU and an allocation profile.
func (m *measurement) profile(ctx context.Context, b *bench, side int) ([]prof.Capture, error) {
	n := b.n
	if m.task.Iterations == 0 {
		n = b.profiled(side, m.profileTime())
	}
	files := map[string]string{"cpu": filepath.Join(m.temp, "cpu.pb.gz"),
		"allocs": filepath.Join(m.temp, "allocs.pb.gz")}
	began := time.Now()
	_, _, err := m.measure(ctx, b, binaryOf{side: side}, strconv.Itoa(n)+"x", "-test.cpuprofile="+files["cpu"],
		"-test.memprofile="+files["allocs"])
	if err != nil {
		return nil, err
	}
	took := time.Since(began)
	var captures []prof.Capture
	for _, kind := range []string{"cpu", "allocs"} {
		c, err := readProfile(files[kind])
		if err != nil {
			return nil, err
		}
		c.Kind, c.Operations = kind, uint64(n)
		if c.Duration == 0 {
			c.Duration = took
		}
		captures = append(captures, c)
	}
	return captures, nil
}

// profiled is how many operations of a side take about so long, by the time of an operation in the rounds: one side may
// be much slower than the other.
func (b *bench) profiled(side int, length time.Duration) int {
	var op []float64
	for _, block := range b.Blocks {
		for _, p := range block.Pairs {
			if ns := [2]judge.Sample{p.A, p.B}[side][measure.OperationTime.Key]; ns > 0 {
				op = append(op, ns)
			}
		}
	}
	if len(op) == 0 {
		return b.n
	}
	return max(1, benchtext.Readable(float64(length)/benchtext.Median(op)))
}

func readProfile(name string) (prof.Capture, error) {
	f, err := inputs.Profile.Open(name)
	if err != nil {
		return prof.Capture{}, fail.New(fail.Subject, "the benchmark wrote no profile: %w", err)
	}
	defer f.Close()
	c, err := prof.ReadCapture(f, prof.Limits{})
	if err != nil {
		return c, fail.New(fail.Subject, "read profile of a benchmark: %w", err)
	}
	return c, nil
}
