package plant

import (
	"encoding/json"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/tools/cover"

	"github.com/gohone/hone/internal/judge/gate"
	"github.com/gohone/hone/internal/program/reach"
	"github.com/gohone/hone/internal/testkit/moduletest"
	"github.com/gohone/hone/judge"
)

// A gate gets one and a half times its limit, of what changes the measure.
func TestWhatIsPlantedForAGate(t *testing.T) {
	atARate := Known{ByCPU: []string{"cpu"}, ByWait: []string{"p50", "p99"},
		Figures: judge.Sample{"cpu": 20e3, "p50": 1e6, "p99": 4e6, "allocs": 40, "bytes": 3000}}
	busy := Known{ByCPU: []string{"cpu", "p50", "p99", "rate"}, Figures: atARate.Figures}
	idle := Known{ByCPU: []string{"cpu"}, ByWait: []string{"p50", "p99", "rate"},
		Figures: judge.Sample{"p50": 1e6, "rate": 1000}}
	for _, c := range []struct {
		name  string
		known Known
		gates string
		want  Cost
	}{
		{"the tightest of several", busy, "cpu<+10% p99<+4%", Cost{Part: 0.06}},
		{"CPU time first", atARate, "p99<+4% allocs<=0 cpu<+10%", Cost{Part: 0.15}},
		{"an absolute limit on CPU time", atARate, "cpu<+2us", Cost{Part: 0.15}},
		{"latency at a rate", atARate, "p99<+10% p50<+50%", Cost{Wait: 600 * time.Microsecond}},
		{"an absolute limit on latency", atARate, "p99<=+2ms", Cost{Wait: 3 * time.Millisecond}},
		{"throughput of a busy program", busy, "rate>-10%", Cost{Part: 1/0.85 - 1}},
		{"throughput of one that waits", idle, "rate>-200", Cost{Wait: 428571 * time.Nanosecond}},
		{"no allocation more", Known{}, "allocs<=0", Cost{Objects: 1, Size: leastObject}},
		{"some allocations", Known{}, "allocs<=+2", Cost{Objects: 3, Size: leastObject}},
		{"a part of the allocations", atARate, "allocs<=10%", Cost{Objects: 6, Size: leastObject}},
		{"bytes", atARate, "bytes<+10%", Cost{Objects: 1, Size: 450}},
	} {
		got, err := For(gates(t, c.gates), c.known)
		if diff := got.Part - c.want.Part; diff > 1e-9 || diff < -1e-9 {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
		got.Part = c.want.Part
		if err != nil || got != c.want {
			t.Errorf("%s: %+v, %v, want %+v", c.name, got, err, c.want)
		}
	}
	for name, text := range map[string]string{"memory": "rss<+5%", "a gain that is wanted": "cpu<-10%",
		"throughput at a rate": "rate>-5%", "a function": "func(main.work)<+5%", "none": ""} {
		if got, err := For(gates(t, text), atARate); err == nil || !strings.Contains(err.Error(), "none of the gates") {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
}

func gates(t *testing.T, text string) (all []gate.Gate) {
	t.Helper()
	for _, one := range strings.Fields(text) {
		g, err := gate.Parse(one)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, g)
	}
	return all
}

const handlerText = `package main

import (
	"fmt"
	"runtime"
	"time"
)

var handlers = map[string]func(int) int{"a": func(n int) int { return n + 1 }}

//go:nosplit
func low(n int) int { return n }

func main() {
	handlers["b"] = func(n int) int {
		double := func(n int) int { return low(2 * n) }
		return double(n) + double(n)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	begin, sum := time.Now(), 0
	for range 100 {
		sum += handlers["b"](1)
	}
	took := time.Since(begin)
	runtime.ReadMemStats(&after)
	fmt.Println(took >= 100*5*time.Millisecond, after.Mallocs-before.Mallocs >= 300, sum)
}
`

// A function without a name is planted in, too: a handler, which is a literal. What several calls of an operation cost
// is shared among them.
func TestAFunctionWithoutAName(t *testing.T) {
	dir := moduletest.WriteFiles(t, map[string]string{"go.mod": "module example.com/handle\ngo 1.24\n",
		"main.go": handlerText})
	block := func(line, from, to, count int) cover.ProfileBlock {
		return cover.ProfileBlock{StartLine: line, StartCol: from, EndLine: line, EndCol: to, Count: count}
	}
	counters := reach.Counters{
		"example.com/handle/main.go": {block(9, 66, 80, 0), block(12, 21, 32, 200), block(16, 33, 50, 200),
			block(15, 35, 36, 100)},
		"example.com/handle/hone_probe.go": {block(1, 1, 2, 100)},
		"example.com/other/main.go":        {block(1, 1, 2, 100)},
	}
	dirs := map[string]string{"example.com/handle": dir}
	found, ok, err := Choose(nil, counters, 100, dirs)
	if err != nil || !ok || found.Name != "a function in main.main" || found.Place.Line != 15 {
		t.Fatalf("%+v, %v, %v", found, ok, err)
	}
	counters["example.com/handle/main.go"][3].Count = 1 // only the inner one is called with each operation
	if found, ok, err = Choose(nil, counters, 100, dirs); err != nil || !ok || found.Place.Line != 16 {
		t.Fatalf("%+v, %v, %v", found, ok, err)
	}
	for _, c := range []struct {
		cost Cost
		want string
	}{
		{Cost{Wait: 5 * time.Millisecond}, "true false 400"},
		{Cost{Objects: 3, Size: leastObject}, "false true 400"},
	} {
		planted, overlay, err := found.Plant(c.cost)
		if err != nil || planted.Cost != c.cost {
			t.Fatal(planted, err)
		}
		if overlay, err = Write(overlay, filepath.Join(t.TempDir(), "planted")); err != nil {
			t.Fatal(err)
		}
		if got := run(t, dir, overlay); got != c.want {
			t.Errorf("%s: %s, want %s", planted, got, c.want)
		}
	}
}

// run builds a program with an overlay, and returns what it prints.
func run(t *testing.T, dir string, overlay map[string]string) string {
	t.Helper()
	work := t.TempDir()
	text, err := json.Marshal(map[string]any{"Replace": overlay})
	if err != nil {
		t.Fatal(err)
	}
	moduletest.WriteFile(t, filepath.Join(work, "overlay.json"), string(text))
	build := exec.Command("go", "build", "-overlay", filepath.Join(work, "overlay.json"), "-o",
		filepath.Join(work, "program"), ".")
	build.Dir = dir
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	out, err := exec.Command(filepath.Join(work, "program")).Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}
