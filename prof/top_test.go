package prof

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// Each golden file is what go tool pprof -top prints for a profile.
func TestTopCountsAsPprofDoes(t *testing.T) {
	for _, c := range []struct{ file, sampleType, unit string }{
		{"work.cpu.pb.gz", "cpu", "ns"},
		{"work.cpu.pb.gz", "samples", "count"},
		{"raw.cpu.pb.gz", "cpu", "ns"},
		{"after.allocs.pb.gz", "alloc_space", "B"},
		{"after.allocs.pb.gz", "inuse_objects", "count"},
		{"after.mutex.pb.gz", "delay", "ns"},
	} {
		golden := filepath.Join("testdata", strings.TrimSuffix(c.file, ".pb.gz")+"."+c.sampleType+".top")
		if *update {
			out, err := exec.Command("go", "tool", "pprof", "-top", "-nodefraction=0", "-nodecount=100000",
				"-unit="+c.unit, "-sample_index="+c.sampleType, filepath.Join("testdata", c.file)).Output()
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(golden, out, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		text, err := os.ReadFile(golden)
		if err != nil {
			t.Fatal(err)
		}
		want := parseTop(t, string(text), c.unit)
		got, err := Top(parseFile(t, c.file), c.sampleType, 0)
		if err != nil {
			t.Fatal(err)
		}
		if len(got.Rows) != len(want) || len(want) == 0 {
			t.Errorf("%s: %d rows, pprof has %d", golden, len(got.Rows), len(want))
		}
		for i := range min(len(want), len(got.Rows)) {
			if got.Rows[i] != want[i] {
				t.Errorf("%s row %d: %+v, pprof has %+v", golden, i+1, got.Rows[i], want[i])
			}
		}
		if !strings.Contains(string(text), " of "+strconv.FormatInt(got.Total, 10)) {
			t.Errorf("%s: total %d is not pprof's", golden, got.Total)
		}
	}
}

// parseTop reads lines of "flat flat% sum% cum cum% function (inline)".
func parseTop(t *testing.T, text, unit string) []Row {
	t.Helper()
	_, table, ok := strings.Cut(text, "cum%\n")
	if !ok {
		t.Fatalf("no table in %q", text)
	}
	value := func(s string) int64 {
		n, err := strconv.ParseInt(strings.TrimSuffix(s, unit), 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	var rows []Row
	for line := range strings.Lines(table) {
		f := strings.Fields(line)
		name := strings.Join(f[5:], " ")
		name = strings.TrimSuffix(strings.TrimSuffix(name, " (inline)"), " (partial-inline)")
		rows = append(rows, Row{Function: name, Flat: value(f[0]), Cum: value(f[3])})
	}
	return rows
}

func TestTopCountsRecursionOncePerStack(t *testing.T) {
	p := buildCPU().
		ticks(3, "main.walk < main.walk < main.walk < main.main").
		ticks(2, "main.leaf + main.walk < main.walk < main.main").
		ticks(0, "main.never").p
	r, err := Top(p, "samples", 0)
	if err != nil {
		t.Fatal(err)
	}
	want := []Row{{"main.walk", 3, 5}, {"main.leaf", 2, 2}, {"main.main", 0, 5}}
	if r.Total != 5 || r.Unit != "count" || !slices.Equal(r.Rows, want) {
		t.Errorf("got %+v, want %v", r, want)
	}
}

func TestTopCutsAndChooses(t *testing.T) {
	p := buildCPU().ticks(1, "main.b").ticks(1, "main.a").ticks(2, "main.c").p
	r, err := Top(p, "", 2)
	if err != nil {
		t.Fatal(err)
	}
	want := []Row{{"main.c", 2 * tick, 2 * tick}, {"main.a", tick, tick}}
	if r.SampleType != "cpu" || r.Total != 4*tick || !slices.Equal(r.Rows, want) {
		t.Errorf("got %+v, want the default sample type and %v", r, want)
	}
	if _, err := Top(p, "alloc_space", 0); err == nil {
		t.Error("a sample type that the profile lacks is accepted")
	}
	if _, err := Top(nil, "", 0); err == nil {
		t.Error("no profile is accepted")
	}
}
