package cover

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/gohone/hone/bench/cover/services"
	"github.com/gohone/hone/bench/proc"
)

// TestMain lets tests run where the case does, in the directory bench.
func TestMain(m *testing.M) {
	if err := os.Chdir(".."); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}

// program builds the services.
func program(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "svc")
	if err := proc.BuildGo(t.Context(), packageDir, path, "./svc"); err != nil {
		t.Fatal(err)
	}
	return path
}

// Each service answers what its load asks for, each endpoint costs CPU time worth a look, and the log has a line for each request.
func TestServicesAreWhatTheySay(t *testing.T) {
	path := program(t)
	for _, s := range services.All {
		t.Run(s.Name, func(t *testing.T) {
			log := filepath.Join(t.TempDir(), "access.log")
			p, err := serve(t.Context(), path, s, log)
			if err != nil {
				t.Fatal(err)
			}
			defer p.Stop()
			d := drawDemand(s, "test")
			total := 0
			for _, g := range d.groups() {
				var n sent
				used, err := proc.CPUOf(p.Pid(), func() (err error) {
					alone, _ := d.split(g)
					n, err = p.drive(alone, "test").closed(t.Context(), 100)
					return err
				})
				if err != nil {
					t.Fatal(err)
				}
				t.Logf("%s costs %v", g, used/time.Duration(n.total()))
				total += n.total()
				if each := used / time.Duration(n.total()); each < 10*time.Microsecond || each > 5*time.Millisecond {
					t.Errorf("%s costs %v of CPU time, want 10 us to 5 ms", g, each)
				}
			}
			text, err := os.ReadFile(log)
			if err != nil {
				t.Fatal(err)
			}
			lines := strings.Split(strings.TrimSpace(string(text)), "\n")
			if len(lines) != total {
				t.Errorf("%d lines in the log of %d requests", len(lines), total)
			}
			for _, l := range lines {
				if err := isLine(l); err != nil {
					t.Fatalf("%v in %s", err, l)
				}
			}
		})
	}
}

// lines are those of logs that are not JSON.
var textLine = regexp.MustCompile(`^(127\.0\.0\.1 - - \[\d\d/\w{3}/\d{4}:\d\d:\d\d:\d\d [+-]\d{4}\] "[A-Z]+ /\S* HTTP/1\.1" 2\d\d \d+ "-" "customer/1\.0"( \d+\.\d{3})?|\d+\.\d{6} \[0 127\.0\.0\.1:\d+\]( "[^"]+")+)$`)

// isLine says what a line lacks of its format.
func isLine(line string) error {
	if !strings.HasPrefix(line, "{") {
		if !textLine.MatchString(line) {
			return fmt.Errorf("no known format")
		}
		return nil
	}
	fields := map[string]any{}
	if err := json.Unmarshal([]byte(line), &fields); err != nil {
		return err
	}
	if inner, ok := fields["request"].(map[string]any); ok {
		for name, value := range inner {
			fields[name] = value
		}
	}
	for _, either := range [][]string{{"ts", "time"}, {"method"}, {"uri", "path"}, {"status"}, {"duration", "duration_ms", "latency"}} {
		found := false
		for _, name := range either {
			found = found || fields[name] != nil
		}
		if !found {
			return fmt.Errorf("none of %q", either)
		}
	}
	return nil
}

// A load is that of its seed: weights, popular keys and bursts are as drawn.
func TestDemand(t *testing.T) {
	s, _ := services.Named("catalogue")
	d := drawDemand(s, "7")
	if fmt.Sprint(d) != fmt.Sprint(drawDemand(s, "7")) || fmt.Sprint(d) == fmt.Sprint(drawDemand(s, "8")) {
		t.Error("want the same load of the same seed, and another of another")
	}
	const n = 20000
	source, counts, keys := d.source("1"), sent{}, map[string]int{}
	for range n {
		r := source.next()
		counts[r.endpoint]++
		if r.endpoint == "item" {
			keys[r.text]++
		}
	}
	for _, p := range d.Parts {
		if got := float64(counts[p.Name]) / n; got < p.Weight-0.02 || got > p.Weight+0.02 {
			t.Errorf("%s: %.3f of the requests, want %.3f", p.Name, got, p.Weight)
		}
		if p.Name == "item" && keys[fmt.Sprintf("/items/%d", p.order[0])] < 5*keys[fmt.Sprintf("/items/%d", p.order[20])] {
			t.Errorf("the first key is not popular: %v", keys)
		}
	}
	sum := 0.0
	for at := range 1000 {
		sum += d.rate(d.Period * time.Duration(at) / 1000)
	}
	if sum < 990 || sum > 1010 {
		t.Errorf("mean rate %.3f, want 1", sum/1000)
	}
}
