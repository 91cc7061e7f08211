package timed

import (
	"testing"
	"time"

	"github.com/gohone/hone/internal/program/probeclient"
	"github.com/gohone/hone/internal/store/record"
)

// busyMoment had so many cycles, each with a pause, and used CPU.
func busyMoment(cycles int, gc, busy, live int) Moment {
	return Moment{Took: time.Second, Requests: 10, Runtime: probeclient.Runtime{
		GCCycles: uint64(cycles), AllocBytes: 1000, HeapLiveBytes: uint64(live), Goroutines: 3,
		CPU: probeclient.CPUClasses{
			Total: 100 * time.Millisecond, Idle: time.Duration(100-busy) * time.Millisecond,
			GC: time.Duration(gc) * time.Millisecond, GCAssist: time.Duration(gc) * time.Millisecond / 2,
		},
		Pauses: probeclient.Histogram{{From: 1e-6, To: 2e-6, Count: uint64(cycles)}},
	}}
}

func TestRuntimeSummary(t *testing.T) {
	of := func(moments ...Moment) *Load {
		v := &Load{}
		for _, m := range moments {
			v.KeepMoment(m)
		}
		return v
	}
	s := of(busyMoment(2, 10, 50, 7), busyMoment(3, 20, 70, 5)).RuntimeSummary()
	if s.Slices != 2 || s.Time != 2*time.Second || s.Cycles != 5 || s.HeapLiveBytes != 7 || s.Goroutines != 3 {
		t.Errorf("%+v", s)
	}
	if s.GCShare == nil || *s.GCShare != 30.0/120 || *s.AssistShare != 15.0/120 {
		t.Errorf("shares %v %v, want 0.25 and 0.125", *s.GCShare, *s.AssistShare)
	}
	if want := (record.Spans{Count: 5, P50: 2 * time.Microsecond, P99: 2 * time.Microsecond,
		Max: 2 * time.Microsecond}); s.Pauses != want {
		t.Errorf("pauses %+v, want %+v", s.Pauses, want)
	}
	if s.Waits != (record.Spans{}) {
		t.Errorf("waits %+v", s.Waits)
	}
	// One cycle accounts for time before these slices too.
	if s := of(busyMoment(1, 10, 50, 7)).RuntimeSummary(); s.GCShare != nil {
		t.Errorf("share %v of one cycle", *s.GCShare)
	}
	if s := (&Load{}).RuntimeSummary(); s != nil {
		t.Errorf("%+v of nothing", s)
	}
	// A long run drops the histograms of old moments, and still sums up all of them.
	var many []Moment
	for range 3 * recentMoments {
		many = append(many, busyMoment(2, 10, 50, 7))
	}
	long := of(many...)
	if s := long.RuntimeSummary(); s.Pauses.Count != 2*3*recentMoments || long.Moments[0].pauses.Count != 2 ||
		long.Moments[0].Runtime.Pauses != nil {
		t.Errorf("%+v, first moment %+v", s, long.Moments[0])
	}
}

func TestTimelineRows(t *testing.T) {
	line := record.Timeline{}
	for i := range 7 {
		r := busyMoment(i, i, 50, i).Runtime
		line.Slices = append(line.Slices, record.Moment{At: time.Duration(i) * time.Second, Duration: time.Second,
			Requests: 10, Runtime: r, Pauses: spansOf(r.Pauses)})
	}
	rows := line.Rows(3)
	if len(rows) != 3 { // 3, 3 and 1
		t.Fatalf("%d rows", len(rows))
	}
	m := rows[1]
	if m.At != 3*time.Second || m.Duration != 3*time.Second || m.Requests != 30 || m.GCCycles != 12 ||
		m.HeapLiveBytes != 5 || m.AllocBytes != 3000 {
		t.Errorf("%+v", m)
	}
	if share, known := m.GCShare(); !known || share != 12.0/150 {
		t.Errorf("share %v %v", share, known)
	}
	if m.Pauses.Count != 12 || m.Pauses.Max != 2*time.Microsecond || m.PerSecond(m.Requests) != 10 {
		t.Errorf("%+v", m)
	}
	if _, known := line.Rows(7)[0].GCShare(); known {
		t.Error("a share without a cycle")
	}
	if all := line.Rows(100); len(all) != 7 {
		t.Errorf("%d rows of 7", len(all))
	}
}
