package memory

import (
	"math"
	"os"
	"testing"
)

// The parts of a moment and what they leave add up to what is resident, whether the runtime has mapped more or less.
func TestMomentsAddUp(t *testing.T) {
	const mb = 1 << 20
	for name, c := range map[string]struct {
		m           Moment
		live, other uint64
	}{
		"C memory": {Moment{Resident: 200 * mb, Mapped: 10 * mb, Free: 50 * mb, Stacks: 5 * mb, Structures: 5 * mb},
			20 * mb, 100 * mb},
		"untouched": {Moment{Resident: 60 * mb, Mapped: 10 * mb, Free: 60 * mb, Structures: 10 * mb}, 10 * mb, 0},
		"nothing":   {Moment{}, 0, 0},
	} {
		a := c.m.Account(30*mb, 20*mb, 40*mb, 10)
		if a.sum()+a.Unaccounted != c.m.Resident {
			t.Errorf("%s: %d and %d of %d: %+v", name, a.sum(), a.Unaccounted, c.m.Resident, a)
		}
		live := uint64(0)
		if p := a.Part(LiveHeap); p != nil {
			live = p.Bytes
		}
		if math.Abs(float64(live)-float64(c.live)) > 8 || math.Abs(float64(a.Unaccounted)-float64(c.other)) > 8 {
			t.Errorf("%s: live %d, want %d; not accounted %d, want %d", name, live, c.live, a.Unaccounted, c.other)
		}
	}
}

func TestMomentOfAProcess(t *testing.T) {
	m, known := MomentOf(Classes{Free: 7, Structures: []Piece{{otherRuntime, 3}}}, []int{os.Getpid()})
	if !known || m.Resident < 1<<20 || m.Mapped == 0 || m.Mapped >= m.Resident || m.Free != 7 || m.Structures != 3 {
		t.Errorf("%+v, %t", m, known)
	}
	if _, known := MomentOf(Classes{}, []int{os.Getpid(), 1 << 30}); known {
		t.Error("memory of a process that does not exist")
	}
}
