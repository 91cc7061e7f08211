package probeclient

import (
	"net"
	"os"
	"path/filepath"
	"strconv"
	"testing"
)

// What a subject puts into the directory of the sockets is not taken for a probe.
func TestProbesOfStrangers(t *testing.T) {
	dir := t.TempDir()
	socket := filepath.Join(dir, "p")
	other := filepath.Join(dir, "other")
	l, err := net.Listen("unix", other)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	const living = 77
	for _, name := range []string{"p.7x", "p.", "p.-1", "q.77", "p.99999999999999999999"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(other, socket+"."+strconv.Itoa(living)); err != nil {
		t.Fatal(err)
	}
	probes := &Probes{socket: socket, main: 5, processes: func() ([]int, error) { return []int{5, living}, nil }}
	list, err := probes.list()
	if err != nil || len(list) != 1 || list[5] == nil {
		t.Errorf("%v, %v; want the main process alone", list, err)
	}
}

func TestTotals(t *testing.T) {
	process := func(bytes, cycles, heap uint64) Metrics {
		m := func(n uint64) Metric { return Metric{Uint64: n, Value: float64(n)} }
		return Metrics{
			allocatedMetric: m(bytes), "/gc/cycles/total:gc-cycles": m(cycles),
			"/memory/classes/heap/objects:bytes": m(heap),
			"/gc/gogc:percent":                   m(100), pausesMetric: {Histogram: Histogram{{0, 1, cycles}}},
		}
	}
	of := func(all map[int]Metrics, silent ...int) Answers[Metrics] {
		a := Answers[Metrics]{Of: all, Asked: silent}
		for pid := range all {
			a.Asked = append(a.Asked, pid)
		}
		return a
	}
	var totals Totals
	for i, step := range []struct {
		what                string
		in                  Answers[Metrics]
		bytes, cycles, heap uint64
	}{
		{"one process", of(map[int]Metrics{1: process(100, 2, 10)}), 100, 2, 10},
		{"another starts", of(map[int]Metrics{1: process(110, 2, 11), 2: process(50, 1, 5)}), 160, 3, 16},
		{"it keeps silent once", of(map[int]Metrics{1: process(120, 2, 12)}, 2), 170, 3, 12},
		{"and answers again", of(map[int]Metrics{1: process(120, 2, 12), 2: process(90, 3, 6)}), 210, 5, 18},
		{"it ends", of(map[int]Metrics{1: process(130, 2, 13)}), 220, 5, 13},
		{"another one gets its number", of(map[int]Metrics{1: process(130, 2, 13), 2: process(7, 0, 7)}), 227, 5, 20},
		{"and is replaced at once", of(map[int]Metrics{1: process(130, 2, 13), 2: process(3, 0, 3)}), 230, 5, 16},
	} {
		sum := totals.Take(step.in)
		r := sum.Runtime()
		if r.AllocBytes != step.bytes || r.GCCycles != step.cycles || r.HeapObjectBytes != step.heap {
			t.Errorf("%d, %s: %d bytes, %d cycles, heap of %d; want %d, %d, %d", i, step.what, r.AllocBytes, r.GCCycles,
				r.HeapObjectBytes, step.bytes, step.cycles, step.heap)
		}
		if r.Pauses.Total() != step.cycles || sum["/gc/gogc:percent"].Value != 100 {
			t.Errorf("%d, %s: %d pauses, GOGC %v", i, step.what, r.Pauses.Total(), sum["/gc/gogc:percent"].Value)
		}
	}
}
