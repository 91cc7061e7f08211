package prof

import (
	"strings"
	"testing"

	"github.com/google/pprof/profile"

	"github.com/gohone/hone/internal/testkit/proftest"
)

// waiting is a wait profile of two cohorts: typical requests sleep for 3 ms, slow ones for 9.
func waiting() Capture {
	fn := &profile.Function{ID: 1, Name: "main.handle", Filename: "main.go"}
	at := &profile.Location{ID: 1, Line: []profile.Line{{Function: fn, Line: 7}}}
	p := &profile.Profile{Function: []*profile.Function{fn}, Location: []*profile.Location{at}}
	for _, t := range WallSampleTypes {
		p.SampleType = append(p.SampleType, &profile.ValueType{Type: t.Name, Unit: t.Unit})
	}
	for _, c := range []struct {
		name string
		wall int64
	}{{"typical", 3e6}, {"slow", 9e6}} {
		p.Sample = append(p.Sample, &profile.Sample{
			Location: []*profile.Location{at}, Value: []int64{c.wall, 0, 0, 0, c.wall},
			Label: map[string][]string{CohortLabel: {c.name}},
		})
	}
	return Capture{Kind: WaitKind, Profile: p, Operations: 1}
}

func TestACohortIsTheLatencyOfOneRequest(t *testing.T) {
	whole := waiting()
	for name, want := range map[string]float64{"": 3e6, "typical": 3e6, "slow": 9e6} {
		c, err := whole.Cohort(name)
		if err != nil {
			t.Fatal(err)
		}
		total, err := c.Total(CostOptions{})
		if err != nil || total.PerRequest != want || total.Unit != "nanoseconds" {
			t.Errorf("cohort %q: %+v, %v; want %v ns", name, total, err, want)
		}
	}
	if len(whole.Profile.Sample) != 2 {
		t.Error("the profile itself was changed")
	}
	if _, err := whole.Cohort("fast"); err == nil || !strings.Contains(err.Error(), "slow, typical") {
		t.Errorf("an unknown cohort: %v; want the known ones", err)
	}
	if _, err := (Capture{Kind: WaitKind}).Cohort(""); err == nil {
		t.Error("a capture without a profile has a cohort")
	}
}

func TestAWaitProfileIsKnownByItsSampleTypes(t *testing.T) {
	if got := KindOf(waiting().Profile); got != WaitKind {
		t.Errorf("it is taken for %q", got)
	}
}

// What a request waited for because hone looked is not its own.
func TestTheObserverIsNotInAWaitProfile(t *testing.T) {
	p := proftest.BuildCPU().Ticks(1, "main.handle < net/http.(*conn).serve").
		Ticks(1, "runtime/trace.(*traceMultiplexer).startLocked.func1 < [waiting to run behind] < main.handle").
		Ticks(1, "runtime.traceStartReadCPU.func1 < [waiting to run behind] < main.handle").
		Ticks(1, "runtime.fpTracebackPCs < runtime.traceStack < runtime.traceLocker.stack < runtime.entersyscall < main.handle").
		Ticks(1, "runtime.(*traceStackTable).put < runtime.traceLocker.GoPark < main.handle").
		Ticks(1, "runtime.tracebackPCs < runtime.callers < main.handle").
		Ticks(1, "syscall.write < main.honeProbeConn < [waiting to run behind] < main.handle").
		Ticks(1, "main.handle.func1 < runtime/trace.WithRegion < main.handle").P
	WithoutObserver(p)
	if len(p.Sample) != 3 {
		t.Errorf("%d samples are left, want the handler's three: %v", len(p.Sample), p.Sample)
	}
}
