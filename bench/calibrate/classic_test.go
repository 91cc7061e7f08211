package calibrate

import (
	"context"
	"maps"
	"net"
	"runtime"
	"testing"

	"github.com/gohone/hone/bench/proc"
)

// Both services are built, started, asked for their CPU time, connected to and stopped, as
// the classic way does.
func TestSubjectsStartAndStop(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("pinning and CPU clocks of processes need Linux")
	}
	ctx := context.Background()
	t.Chdir("..") // the packages of services are named from there
	programs, err := buildSubjects(ctx, t.TempDir(), services)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range services {
		p, err := startSubject(ctx, programs[s.Name])
		if err != nil {
			t.Fatalf("%s: %v", s.Name, err)
		}
		if cpu, err := proc.CPUTime(p.Pid()); err != nil || cpu <= 0 {
			t.Errorf("%s: CPU time %v, %v", s.Name, cpu, err)
		}
		conn, err := net.Dial("tcp", p.Addr)
		if err != nil {
			t.Errorf("%s: %v", s.Name, err)
		} else {
			conn.Close()
		}
		if err := p.Terminate(); err != nil {
			t.Errorf("%s: %v", s.Name, err)
		}
	}
	if _, err := startSubject(ctx, programs["framed"]+"-that-is-not-there"); err == nil {
		t.Error("started what is not there")
	}
}

// The number of iterations follows from the median slope; rounds that contradict each
// other, or see no slow-down, plant nothing.
func TestChooseSpins(t *testing.T) {
	p := &plant{LargeSpin: 1000, Slopes: []float64{0.0002, 0.00018, 0.00021, 0.0002, 0.00022}}
	if err := p.choose(); err != nil {
		t.Fatal(err)
	}
	want := map[string]int{"planted-1.5": 75, "planted-3": 150, "planted-5": 250, "planted-30": 1500}
	if !maps.Equal(p.Spins, want) {
		t.Errorf("%v", p.Spins)
	}
	for _, slopes := range [][]float64{{0, -1, 1}, {0.0002, 0.0002, 0.0004}, {0.0002, 0.0002, 0.0001}} {
		if err := (&plant{LargeSpin: 1000, Slopes: slopes}).choose(); err == nil {
			t.Errorf("slopes %v were taken", slopes)
		}
	}
}
