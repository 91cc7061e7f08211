package load_test

import (
	"slices"
	"testing"
	"time"

	"github.com/gohone/hone/load"
	"golang.org/x/sys/unix"
)

// monotonic reads the clock of execution traces.
func monotonic(t *testing.T) int64 {
	t.Helper()
	var ts unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_MONOTONIC, &ts); err != nil {
		t.Fatal(err)
	}
	return ts.Nano()
}

// slack is what the offset between the session's clock and CLOCK_MONOTONIC may be off: a hundred readings of both.
const slack = int64(10 * time.Microsecond)

func TestEveryRightAnswerHasAStamp(t *testing.T) {
	engines(t, func(t *testing.T, e kind) {
		l := serve(t, e.network, echo)
		for _, plan := range []load.Plan{
			{Connections: 1, Depth: 1}, {Connections: 7, Depth: 1, Workers: 3}, {Connections: 5, Depth: 33},
		} {
			s := open(t, plan, lines{}, e.dialer(l))
			stamps := new(load.Stamps)
			var answered uint64
			for range 2 { // what a stretch adds comes after what is there
				began := monotonic(t)
				seen := stamps.Len()
				got, _ := s.run(load.Stretch{Schedule: load.Schedule{Requests: 3000}, Drain: patient, Stamps: stamps})
				answered += got.Answered
				checkStamps(t, stamps, plan, seen, began, monotonic(t))
			}
			if answered != 6000 || uint64(stamps.Len()) != answered || stamps.Missed != 0 {
				t.Errorf("%+v: %d stamps and %d missed of %d right answers, want 6000", plan, stamps.Len(),
					stamps.Missed, answered)
			}
			s.slice(time.Millisecond, patient)
			if uint64(stamps.Len()) != answered {
				t.Errorf("%+v: a slice that asked for none added stamps", plan)
			}
		}
	})
}

// checkStamps checks a closed loop's stamps from number first on, which began and ended at moments of CLOCK_MONOTONIC.
func checkStamps(t *testing.T, stamps *load.Stamps, plan load.Plan, first int, began, ended int64) {
	t.Helper()
	last, n := map[int32]int64{}, 0
	for one := range stamps.All() {
		if n++; n <= first {
			continue
		}
		if one.Due != 0 || one.Sent > one.Answered || one.Sent < began-slack || one.Answered > ended+slack {
			t.Fatalf("%+v: stamp %d is %+v, want no due time, and the rest in order between %d and %d", plan, n, one,
				began, ended)
		}
		if one.Conn < 0 || int(one.Conn) >= plan.Connections || one.Answered < last[one.Conn] {
			t.Fatalf("%+v: stamp %d is %+v: its connection was at %d", plan, n, one, last[one.Conn])
		}
		last[one.Conn] = one.Answered
	}
	if len(last) != plan.Connections {
		t.Errorf("%+v: stamps of %d connections", plan, len(last))
	}
}

func TestStampsOfAnOpenLoopSayWhenRequestsWereDue(t *testing.T) {
	engines(t, func(t *testing.T, e kind) {
		l := serve(t, e.network, echo)
		s := open(t, load.Plan{Connections: 3, Depth: 2, Workers: 2}, lines{}, e.dialer(l))
		stamps := new(load.Stamps)
		const rate = 2000
		got, _ := s.run(load.Stretch{Schedule: load.OpenLoop(rate, 100*time.Millisecond), Drain: patient,
			Stamps: stamps})
		// On a busy machine the last ones that are due find no connection that is ready, and stay unsent.
		if got.Sent+got.Unsent != rate/10 || got.Sent < 2 {
			t.Fatalf("sent %d and %d unsent, want %d together", got.Sent, got.Unsent, rate/10)
		}
		var dues []int64
		for one := range stamps.All() {
			if one.Due > one.Sent || one.Sent > one.Answered {
				t.Fatalf("%+v: want due, sent and answered in this order", one)
			}
			dues = append(dues, one.Due)
		}
		if uint64(len(dues)) != got.Sent {
			t.Fatalf("%d stamps of %d requests", len(dues), got.Sent)
		}
		slices.Sort(dues)
		places := map[int64]bool{} // of the moments of the schedule: each carries one request
		for _, due := range dues {
			const space = int64(time.Second) / rate
			place := (due - dues[0] + space/2) / space
			if off := due - dues[0] - place*space; max(off, -off) > 1000 || place >= rate/10 || places[place] {
				t.Errorf("a request was due %d ns after the first, %d ns beside moment %d of the schedule", due-dues[0],
					off, place)
			}
			places[place] = true
		}
	})
}

func TestStampsAreBounded(t *testing.T) {
	engines(t, func(t *testing.T, e kind) {
		l := serve(t, e.network, echo)
		s := open(t, load.Plan{Connections: 5, Depth: 4, Workers: 2}, lines{}, e.dialer(l))
		stamps := &load.Stamps{Most: 1501} // more than one chunk
		for range 2 {
			s.run(load.Stretch{Schedule: load.Schedule{Requests: 4000}, Drain: patient, Stamps: stamps})
		}
		if stamps.Len() != 1501 || stamps.Missed != 8000-1501 {
			t.Errorf("%d stamps kept, %d missed; want 1501 and %d", stamps.Len(), stamps.Missed, 8000-1501)
		}
	})
}

func TestAConnectionThatReplacesAnotherHasANumberOfItsOwn(t *testing.T) {
	engines(t, func(t *testing.T, e kind) {
		l := serve(t, e.network, echo)
		s := open(t, load.Plan{Connections: 3, Depth: 2, PerConnection: 5}, lines{}, e.dialer(l))
		stamps := new(load.Stamps)
		s.run(load.Stretch{Schedule: load.Schedule{Requests: 200}, Drain: patient, Stamps: stamps})
		each := map[int32]int{}
		for one := range stamps.All() {
			each[one.Conn]++
		}
		for conn, n := range each {
			if n > 5 {
				t.Errorf("connection %d has %d stamps; it carried 5 requests at most", conn, n)
			}
		}
		if stamps.Len() != 200 || len(each) < 40 {
			t.Errorf("%d stamps of %d connections", stamps.Len(), len(each))
		}
	})
}

func TestMostStampsMustNotBeNegative(t *testing.T) {
	if err := (load.Stretch{Schedule: load.ClosedLoop(1), Stamps: &load.Stamps{Most: -1}}).Validate(); err == nil {
		t.Error("-1 stamps were accepted")
	}
}
