package headlines

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/gohone/hone/bench/figures"
	"github.com/gohone/hone/internal/sys/machine"
)

// What hone prints, cut down to what is read and a little more; the numbers are made up.
const comparisonJSON = `{"schema":"hone.compare/2","comparison":{"schema":"hone.comparison/2","id":"c1","contests":[
	{"a":0,"b":1,"verdict":"faster","verdicts":[
		{"measure":{"key":"cpu","unit":"ns"},"verdict":"faster","a":14000,"b":980,"ratio":0.07,"low":0.06,"high":0.08,"conf":0.95},
		{"measure":{"key":"rate"},"verdict":"undecided","a":50000,"b":90000,"ratio":1.8,"low":0,"high":null}]},
	{"a":0,"b":2,"verdict":"same","verdicts":[]}]},
	"runs":[{"schema":"hone.run/1","id":"r1","generator_busy":0.2},{"id":"r2","generator_busy":0.95,
		"conditions":{"total":{"elapsed_ns":2000,"others_cpu_ns":500,"steal_share":0.25}}}]}`

func TestReadComparison(t *testing.T) {
	var c comparison
	if err := json.Unmarshal([]byte(comparisonJSON), &c); err != nil {
		t.Fatal(err)
	}
	g, err := rungOf(c)
	if err != nil {
		t.Fatal(err)
	}
	if g.cpu.A != 14000 || g.cpu.B != 980 || g.cpu.Word != "faster" ||
		change(g.cpu) != (figures.Ratio{Value: 0.07, Low: 0.06, High: 0.08}) {
		t.Errorf("CPU: %+v", g.cpu)
	}
	if g.rate.B != 90000 || change(g.rate) != (figures.Ratio{Value: 1.8}) {
		t.Errorf("rate without an interval: %+v", change(g.rate))
	}
	if g.busy != 0.95 || !strings.Contains(g.busyNote(), "95.0 %") {
		t.Errorf("busy %v: %q", g.busy, g.busyNote())
	}
	if note := (rung{busy: 0.2}).busyNote(); note != "" {
		t.Errorf("an idle generator is worth %q", note)
	}
	if all, err := c.against(2); err != nil || len(all) != 0 {
		t.Errorf("second contest: %v, %v", all, err)
	}
	if _, err := c.against(3); err == nil {
		t.Error("a contest that was not")
	}
	if _, err := find(nil, "cpu"); err == nil || !strings.Contains(err.Error(), `"cpu"`) {
		t.Errorf("a verdict that is not there: %v", err)
	}
	if _, err := rungOf(comparison{}); err == nil {
		t.Error("a rung out of nothing")
	}
}

func TestReadBench(t *testing.T) {
	const text = `{"schema":"hone.bench/1","benchmarks":[{"name":"Stage-2","verdicts":[
		{"measure":{"key":"time"},"verdict":"slower","a":5000,"b":6000,"ratio":1.2,"low":1.1,"high":1.3},
		{"measure":{"key":"bytes"},"a":1300,"b":1150},
		{"measure":{"key":"allocs"},"a":25,"b":23.5}]}]}`
	var d benchDocument
	if err := json.Unmarshal([]byte(text), &d); err != nil {
		t.Fatal(err)
	}
	s, err := stepOf(d)
	want := visitStep{visitCost{5000, 1300, 25}, visitCost{6000, 1150, 23.5},
		figures.Ratio{Value: 1.2, Low: 1.1, High: 1.3}, "slower"}
	if err != nil || s != want {
		t.Errorf("%+v, %v, want %+v", s, err, want)
	}
	if got := s.b.here(s.a.nanos); got != "5,000 -> 6,000 ns, 1,150 B, 23.5 allocs" {
		t.Errorf("%q", got)
	}
	if got := (visitCost{5403, 1307, 25}).published(); got != "5,403 ns, 1,307 B, 25 allocs" {
		t.Errorf("published figures are rounded: %q", got)
	}
	d.Benchmarks[0].Verdicts = d.Benchmarks[0].Verdicts[:1]
	if _, err := stepOf(d); err == nil || !strings.Contains(err.Error(), `"bytes"`) {
		t.Errorf("a benchmark without bytes: %v", err)
	}
	if _, err := stepOf(benchDocument{}); err == nil {
		t.Error("a step of no benchmark")
	}
}

func TestConditions(t *testing.T) {
	if got := meanwhile(nil, 2); !strings.Contains(got, "nothing") {
		t.Errorf("%q", got)
	}
	noted := []machine.Disturbance{
		{Elapsed: 3000, Others: new(time.Duration(600)), Steal: new(0.0)}, {},
		{Elapsed: 1000, Others: new(time.Duration(200)), Steal: new(0.04)},
	}
	if got, want := meanwhile(noted, 2),
		"Meanwhile other programs had 10.0 % of the CPUs, and the host took 1.0 %."; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
