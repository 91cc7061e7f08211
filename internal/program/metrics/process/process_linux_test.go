package process

import (
	"errors"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"go.uber.org/goleak"

	"github.com/gohone/hone/internal/program/usage"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// gather scrapes as a pedantic Prometheus does: what is not described, or twice there, fails.
func gather(t *testing.T, c prometheus.Collector) (values map[string]float64, kinds map[string]string) {
	t.Helper()
	registry := prometheus.NewPedanticRegistry()
	if err := registry.Register(c); err != nil {
		t.Fatal(err)
	}
	families, err := registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	values, kinds = map[string]float64{}, map[string]string{}
	for _, f := range families {
		kinds[f.GetName()] = f.GetType().String()
		for _, m := range f.GetMetric() {
			name := f.GetName()
			for _, l := range m.GetLabel() {
				name += "/" + l.GetValue()
			}
			values[name] = m.GetCounter().GetValue() + m.GetGauge().GetValue()
		}
	}
	return values, kinds
}

func used() (usage.Reading, error) {
	return usage.Reading{
		Counters:  usage.Counters{CPU: 1500 * time.Millisecond, ReadCalls: 11, WriteCalls: 12},
		Voluntary: 13, Involuntary: 14, MinorFaults: 15, MajorFaults: 16,
		RSS: 17 << 20, Threads: 18, FDs: 19, Processes: 2,
	}, nil
}

func TestCountersOfTheTree(t *testing.T) {
	c := New(used, func() int { return 0 })
	got, kinds := gather(t, c)
	want := map[string]float64{
		"hone_subject_process_up":                    1,
		"process_cpu_seconds_total":                  1.5,
		"process_read_calls_total":                   11,
		"process_write_calls_total":                  12,
		"process_context_switches_total/voluntary":   13,
		"process_context_switches_total/involuntary": 14,
		"process_minor_page_faults_total":            15,
		"process_major_page_faults_total":            16,
		"process_resident_memory_bytes":              17 << 20,
		"process_threads":                            18,
		"process_open_fds":                           19,
	}
	for name, value := range want {
		if v, ok := got[name]; !ok || v != value {
			t.Errorf("%s is %v (%v), want %v", name, v, ok, value)
		}
	}
	if len(got) != len(want) {
		t.Errorf("%d metrics, want %d: %v", len(got), len(want), got)
	}
	for name, kind := range kinds {
		if isTotal := strings.HasSuffix(name, "_total"); isTotal != (kind == "COUNTER") {
			t.Errorf("%s is a %s", name, kind)
		}
	}
}

// Of this very process: client_golang's own collector has the same under the same names.
func TestSameAsClientGolang(t *testing.T) {
	theirs, theirKinds := gather(t, collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	c := New(used, os.Getpid)
	ours, kinds := gather(t, c)
	for name, kind := range theirKinds {
		if strings.HasPrefix(name, "process_network_") {
			continue // of the whole namespace
		}
		if kinds[name] != kind {
			t.Errorf("%s is %q, with client_golang %q", name, kinds[name], kind)
		}
		switch name {
		case "process_start_time_seconds", "process_max_fds", "process_virtual_memory_max_bytes":
			if ours[name] != theirs[name] {
				t.Errorf("%s is %v, with client_golang %v", name, ours[name], theirs[name])
			}
		case "process_virtual_memory_bytes":
			if ours[name] < theirs[name]/2 || ours[name] > theirs[name]*2 {
				t.Errorf("%s is %v, with client_golang %v", name, ours[name], theirs[name])
			}
		}
	}
	if again, _ := gather(t, c); again["process_start_time_seconds"] != ours["process_start_time_seconds"] {
		t.Error("the start of a process moved")
	}
}

func TestProcessesThatAreGone(t *testing.T) {
	c := New(func() (usage.Reading, error) { return usage.Reading{}, errors.New("its main process has ended") },
		os.Getpid)
	got, _ := gather(t, c)
	if v, ok := got["hone_subject_process_up"]; !ok || v != 0 || len(got) != 1 {
		t.Errorf("metrics %v", got)
	}
}

// The main process has ended, others of the tree live on.
func TestAMainProcessThatIsGone(t *testing.T) {
	ended := exec.Command("true")
	if err := ended.Run(); err != nil {
		t.Fatal(err)
	}
	c := New(used, func() int { return ended.Process.Pid })
	got, _ := gather(t, c)
	if got["hone_subject_process_up"] != 1 || got["process_cpu_seconds_total"] != 1.5 {
		t.Errorf("metrics %v", got)
	}
	if _, ok := got["process_start_time_seconds"]; ok {
		t.Error("a process that is gone has a start")
	}
}

func TestScrapesAtTheSameTime(t *testing.T) {
	c := New(used, os.Getpid)
	var scrapes sync.WaitGroup
	for range 4 {
		scrapes.Go(func() {
			if got, _ := gather(t, c); got["process_start_time_seconds"] == 0 {
				t.Error("no start")
			}
		})
	}
	scrapes.Wait()
}
