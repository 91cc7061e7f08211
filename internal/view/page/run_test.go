package page

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"

	"github.com/gohone/hone/internal/insight/walltime"
	"github.com/gohone/hone/internal/program/build"
	"github.com/gohone/hone/internal/program/memory"
	"github.com/gohone/hone/internal/program/probeclient"
	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/internal/store/packed"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/sys/machine"
	"github.com/gohone/hone/internal/view/model"
	"github.com/gohone/hone/internal/view/report"
	"github.com/gohone/hone/internal/view/stored"
	"github.com/gohone/hone/load"
	"github.com/gohone/hone/prof"
)

// zeros is randomness that a golden file can rest on.
type zeros struct{}

func (zeros) Read(b []byte) (int, error) { clear(b); return len(b), nil }

func testLedger(t *testing.T) *ledger.Ledger {
	t.Helper()
	l, err := ledger.OpenWith(t.TempDir(), ledger.Options{Random: zeros{}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := l.Close(); err != nil {
			t.Error(err)
		}
	})
	return l
}

// started is when the runs of these tests began.
var started = time.Date(2026, 11, 23, 8, 0, 0, 0, time.UTC)

// slicesOf are slices of 100 ms with a thousand answers each, so many for each start; latencies are drawn from 100 us
// on.
func slicesOf(t *testing.T, starts, each int) []packed.Slice {
	t.Helper()
	rng := rand.New(rand.NewPCG(1, 2))
	var latencies [5]packed.Histogram
	for i := range latencies {
		h := hdrhistogram.New(1, int64(time.Minute), 3)
		for range 1000 {
			if err := h.RecordValue(int64(1e5 * (1 + rng.ExpFloat64()))); err != nil {
				t.Fatal(err)
			}
		}
		var err error
		if latencies[i], err = packed.Pack(h); err != nil {
			t.Fatal(err)
		}
	}
	var all []packed.Slice
	for i := range starts * each {
		block := i / each
		all = append(all, packed.Slice{
			Slice: load.Slice{
				Offset:   time.Second*time.Duration(1+2*block) + time.Duration(i)*100*time.Millisecond,
				Duration: 100 * time.Millisecond,
				Counts:   load.Counts{Scheduled: 1000, Sent: 1000, Answered: 1000},
			},
			Place:     packed.Place{Index: i, Block: block, Pair: i, First: true},
			Used:      packed.Used{CPU: 20 * time.Millisecond},
			Latencies: packed.Latencies{Service: latencies[i%len(latencies)]},
		})
	}
	return all
}

// merged are all latencies of slices.
func merged(t *testing.T, all []packed.Slice) *hdrhistogram.Histogram {
	t.Helper()
	sum := hdrhistogram.New(1, int64(time.Minute), 3)
	for _, s := range all {
		h, err := s.Latency()
		if err != nil {
			t.Fatal(err)
		}
		sum.Merge(h)
	}
	return sum
}

// richRecord is the document of a run of which everything is known.
func richRecord(t *testing.T, all []packed.Slice) record.Run {
	t.Helper()
	h := merged(t, all)
	q := func(p float64) int64 { return h.ValueAtQuantile(p) }
	allocs, bytesEach, reads, gc, assist := 12.5, 2048.0, 1.0, 0.031, 0.002
	return record.Run{
		Head: record.Head{
			Schema: record.RunSchema, Status: ledger.Complete, Started: started, Elapsed: 12 * time.Second,
			Label: "./cmd/shop -fast", Dir: "/src/shop",
			Command: spec.Line{"run", "./cmd/shop -fast", "--path=/hello", "--connections=10", "--depth=2",
				"--duration=3s", "--flags=-tags=x"},
			Binary: build.Binary{
				Variant: build.Variant{Name: "A", Source: "./cmd/shop", Args: []string{"-fast"},
					BuildFlags: []string{"-tags=x"}},
				Package: "example.com/work", Module: "example.com/work", GoVersion: "go1.26.8",
				Commit: "0123456789abcdef", Dirty: true, Probed: true,
			},
			Warnings: []string{"the program wrote to stderr"}, Profiles: []string{"cpu", "allocs"},
			Hot: []prof.Cost{{Site: prof.Site{Function: "main.work", File: "/src/shop/main.go", Line: 41,
				What: "main.work"}, Share: 61, Samples: 610, Of: 1000}},
			Environment: record.Environment{
				Hone: "v1.2.3", GeneratorCPUs: []int{0}, SubjectCPUs: []int{1, 2}, StealShare: 0.012,
				Description: machine.Description{OS: "linux", Arch: "amd64", Kernel: "6.8.0", CPUModel: "Example CPU",
					CPUs: 4, LoadAverage: 0.5},
			},
			Conditions: machine.Summary{Slices: len(all), Noticeable: 1,
				Total: machine.Disturbance{Elapsed: time.Second}},
		},
		Target: "http://127.0.0.1:8080/hello", Assumption: "no --target given: assumed http://127.0.0.1:8080/hello",
		Plan: load.Plan{Connections: 10, Depth: 2}, Slice: 100 * time.Millisecond, Slices: len(all), Starts: 1,
		Arrangement:   record.Single,
		Counts:        load.Counts{Scheduled: 30_005, Sent: 30_000, Unsent: 5, Answered: 29_998, Failed: 2},
		Causes:        map[string]uint64{"connection reset": 2},
		GeneratorBusy: 0.31, RightShare: 0.9999, Doubts: []load.Doubt{{Name: "few", Text: "few answers"}},
		Output:   &record.Output{Written: 2048},
		CPUNanos: &record.Interval{Value: 20_000, Low: 19_500, High: 20_500, Conf: 0.95}, RequestsPerSecond: 10_000,
		Latency: &record.Latency{Count: h.TotalCount(), P50: q(50), P75: q(75), P90: q(90), P95: q(95), P99: q(99),
			P999: q(99.9), P9999: q(99.99), Max: h.Max()},
		PerRequest: record.PerRequest{Allocs: &allocs, AllocBytes: &bytesEach, ReadCalls: &reads}, PeakRSSBytes: 20e6,
		ResidentBytes: 15e6,
		Runtime: &record.RuntimeSummary{Slices: 3, Time: time.Second, Cycles: 4, GCShare: &gc, AssistShare: &assist,
			HeapLiveBytes: 4e6, HeapGoalBytes: 8e6, Goroutines: 12},
		Metrics: &record.RecordedMetrics{Series: 407, Interval: time.Second},
		Asked: &spec.Stored{WorkDir: t.TempDir(), Parts: spec.Parts{
			Load:    spec.Load{Path: "/hello", Duration: 3 * time.Second, WarmUp: 500 * time.Millisecond},
			Observe: spec.Observe{ProfileTime: 2 * time.Second},
		}},
	}
}

// richDigest says where the time of two cohorts goes.
func richDigest() *walltime.Digest {
	sleep := walltime.Call{State: walltime.Sleep, Library: "time.Sleep", Function: "main.load",
		File: "/src/shop/main.go", Line: 43}
	lock := walltime.Label{Call: walltime.Call{State: walltime.Lock, Library: "sync.(*Mutex).Lock",
		Function: "main.get", File: "/src/shop/main.go", Line: 41}, Behind: &sleep}
	run := walltime.Label{Call: walltime.Call{State: walltime.Running, Function: "main.get", File: "/src/shop/main.go",
		Line: 40}}
	after := walltime.Label{Call: walltime.Call{State: walltime.After}}
	d := &walltime.Digest{
		Schema: walltime.Schema, Method: walltime.Connections, Requests: 1204, Joined: 1200, TraceNanos: 4e8,
		Cohorts: []walltime.Cohort{
			{Name: walltime.TypicalName, From: 45, To: 55, Requests: 120, LatencyNanos: 1e6,
				Parts: []walltime.Part{{Label: run, Nanos: 8e5}, {Label: after, Nanos: 2e5}}},
			{Name: walltime.SlowName, From: 99, To: 100, Requests: 12, LatencyNanos: 9e6,
				Parts: []walltime.Part{{Label: lock, Nanos: 8e6}, {Label: run, Nanos: 8e5},
					{Label: after, Nanos: 1e5}}},
		},
	}
	d.Causes, d.Outside = walltime.Causes(&d.Cohorts[0], &d.Cohorts[1])
	return d
}

// store keeps a run with its slices, and documents as artefacts by their kinds.
func store(t *testing.T, l *ledger.Ledger, row ledger.Run, status ledger.Status, reason string, doc any,
	all []packed.Slice, artefacts map[string]any) string {
	t.Helper()
	row.Started = started
	d, err := l.BeginRun(row)
	if err != nil {
		t.Fatal(err)
	}
	if err := d.AddSlices(all); err != nil {
		t.Fatal(err)
	}
	for _, kind := range []string{record.TailArtefact, record.TimelineArtefact} {
		if artefacts[kind] == nil {
			continue
		}
		if _, err := d.AddArtefact(kind, kind+".json", bytes.NewReader(marshal(t, artefacts[kind]))); err != nil {
			t.Fatal(err)
		}
	}
	if file, ok := artefacts["cpu"].(string); ok {
		addProfile(t, d, "cpu", file)
	}
	text := json.RawMessage(nil)
	if r, ok := doc.(record.Run); ok {
		r.ID = d.ID()
		doc = r
	}
	if doc != nil {
		text = marshal(t, doc)
	}
	if err := d.Finish(status, reason, text); err != nil {
		t.Fatal(err)
	}
	return d.ID()
}

func addProfile(t *testing.T, d *ledger.Draft, kind, file string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "..", "prof", "testdata", file))
	if err != nil {
		t.Fatal(err)
	}
	p, err := prof.Parse(bytes.NewReader(text), prof.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := (prof.Capture{Kind: kind, Profile: p, Operations: 1000, Duration: time.Second}).Write(&b); err != nil {
		t.Fatal(err)
	}
	if _, err := d.AddArtefact("profile", kind+".pb.gz", &b); err != nil {
		t.Fatal(err)
	}
}

func marshal(t *testing.T, v any) []byte {
	t.Helper()
	text, err := json.MarshalIndent(v, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// richRun is the page of such a run, and its document as it is stored.
func richRun(t *testing.T) (*Run, record.Run) {
	t.Helper()
	l, all := testLedger(t), slicesOf(t, 1, 3)
	all[1].Failed, all[1].Answered = 2, 998
	steal := 0.2
	all[2].Conditions.Steal = &steal
	line := record.Timeline{Schema: record.TimelineSchema, Slices: []record.Moment{
		{At: time.Second, Duration: 100 * time.Millisecond,
			Runtime: probeclient.Runtime{HeapLiveBytes: 1e6, HeapGoalBytes: 4e6, Goroutines: 12,
				HeapObjectBytes: 2e6},
			Memory: &memory.Moment{Resident: 12e6, Mapped: 3e6, Unused: 1e5, Free: 3e6, Stacks: 5e5, Structures: 2e6}},
		{At: 1100 * time.Millisecond, Duration: 100 * time.Millisecond,
			Runtime: probeclient.Runtime{HeapLiveBytes: 2e6, HeapGoalBytes: 4e6, Goroutines: 11, GCCycles: 2,
				HeapObjectBytes: 3e6},
			Memory: &memory.Moment{Resident: 14e6, Mapped: 3e6, Unused: 1e5, Free: 3e6, Stacks: 5e5, Structures: 2e6},
			Pauses: record.Spans{Count: 4, Max: 30 * time.Microsecond}},
		{At: 1200 * time.Millisecond, Duration: 100 * time.Millisecond,
			Runtime: probeclient.Runtime{HeapLiveBytes: 3e6, HeapGoalBytes: 4e6, Goroutines: 12}},
	}}
	doc := richRecord(t, all)
	doc.Waits = richDigest()
	id := store(t, l, ledger.Run{Label: doc.Label, Package: doc.Binary.Package}, ledger.Complete, "", doc, all,
		map[string]any{record.TailArtefact: richDigest(), record.TimelineArtefact: line, "cpu": "work.cpu.pb.gz"})
	source := files{}
	r, err := (&Library{Stored: &stored.Library{Ledger: l,
		Sources: func(record.Run) prof.Sources { return source }}}).Run(id)
	if err != nil {
		t.Fatal(err)
	}
	doc.ID = id
	return r, doc
}

// longFloat is a number of which the last digits are the processor's.
var longFloat = regexp.MustCompile(`\d+\.\d{6,}`)

func TestRunGolden(t *testing.T) {
	r, doc := richRun(t)
	for i := range r.Artefacts { // what gzip writes depends on the toolchain
		a := &r.Artefacts[i]
		if len(a.SHA256) != 64 || !strings.HasSuffix(a.Size, "kB") {
			t.Errorf("%+v", a)
		}
		a.SHA256, a.Size = "SHA256", "SIZE"
	}
	text := longFloat.ReplaceAllStringFunc(string(marshal(t, r)), func(number string) string {
		v, err := strconv.ParseFloat(number, 64)
		if err != nil {
			t.Fatal(err)
		}
		return strconv.FormatFloat(v, 'g', 8, 64)
	})
	golden(t, "run.json", strings.ReplaceAll(text, doc.Asked.WorkDir, "DIR")+"\n")
}

// golden compares a page with a file of testdata, which -update writes.
func golden(t *testing.T, name, text string) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if text != string(want) {
		t.Errorf("the page is not %s: go test ./internal/view/page -update, and look at the difference\n%s", file, text)
	}
}

// What the page of a run shows stands in the terminal, word for word.
func TestRunShowsWhatTheTerminalPrints(t *testing.T) {
	r, doc := richRun(t)
	var b strings.Builder
	if err := report.Run(&b, doc, nil, model.Full); err != nil {
		t.Fatal(err)
	}
	terminal := b.String()
	has := func(what, text string) {
		if text == "" || !strings.Contains(terminal, text) {
			t.Errorf("%s %q is not in\n%s", what, text, terminal)
		}
	}
	last := -1
	for _, n := range r.Numbers {
		has("number "+n.Name, n.Text)
		if n.Note != "" {
			has("note of "+n.Name, n.Note)
		}
		if at := strings.Index(terminal, "\n"+n.Name+" "); n.Name != "requests" && n.Name != "output" &&
			n.Name != "metrics" {
			if at < last {
				t.Errorf("%s is in another order", n.Name)
			}
			last = at
		}
	}
	for _, m := range r.Latency.Marks {
		has("percentile", m.Name+" "+m.Text)
	}
	for _, e := range r.Errors {
		has("error", "error: "+e.Name+": "+e.Text)
	}
	has("check", r.Check.Text)
	for _, n := range r.Check.Notes {
		has("note", n.Text)
	}
	for _, u := range r.Under {
		has("condition", u)
	}
	for _, h := range r.Hot {
		has("hot", h.String())
	}
	for _, name := range []string{"CPU per request", "throughput", "service time", "per request", "memory", "collector",
		"goroutines", "requests", "output", "metrics"} {
		found := false
		for _, n := range r.Numbers {
			found = found || n.Name == name
		}
		if !found {
			t.Errorf("the page has no %s", name)
		}
	}
}
