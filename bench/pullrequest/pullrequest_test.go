package pullrequest

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gohone/hone/bench/bed"
	"github.com/gohone/hone/bench/corpus"
)

// All kinds are asked for, of each library, each request once.
func TestMissing(t *testing.T) {
	noOps, err := corpus.NoOps()
	if err != nil {
		t.Fatal(err)
	}
	c := config{n: 40, planted: 40, only: strings.Split(libraries, ",")}
	want := c.wanted(noOps)
	if len(want) != 80 || want[0].planted != 0 || want[1].planted != size {
		t.Fatalf("%d requests: %v", len(want), want[:2])
	}
	n := map[corpus.Kind]int{}
	for _, r := range want {
		if r.planted == 0 {
			n[r.Kind]++
		}
	}
	for _, k := range kinds {
		if n[k] < 5 {
			t.Errorf("%d requests of the kind %s: %v", n[k], k, n)
		}
	}
	var records []record
	for _, r := range want[:7] {
		records = append(records, record{Repo: r.Repo, Commit: r.Commit.Commit, Kind: r.Kind, Planted: r.planted,
			Said: &answer{}})
	}
	left := missing(records, want)
	if len(left) != 73 || slices.ContainsFunc(left, func(r request) bool { return r.String() == want[0].String() }) {
		t.Errorf("%d requests are left", len(left))
	}
}

const source = `package dig

// hole is a field's name, too, and depth a variable's.
func hole(n int) int { return depth(n) }

func depth(n int) int { return n }

func width(n int) int { return n + 1 }

func byName(n int) int { return n }

type spade struct{ hole int }

func (s spade) Dig() int {
	depth := width(s.hole)
	return depth + len("byName")
}
`

const test = `package dig

import "testing"

func TestDig(t *testing.T) {
	if (spade{1}).Dig() != 2+6 || width(1) != 2 {
		t.Error("not right")
	}
}
`

// The function whose name means nothing else gets another one, everywhere, and the package still does the same.
func TestRename(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module example.org/dig\n\ngo 1.24\n", "dig.go": source,
		"dig_test.go": test} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if name, err := rename(dir); err != nil || name != "width" {
		t.Fatalf("%s was renamed, %v", name, err)
	}
	text, err := os.ReadFile(filepath.Join(dir, "dig.go"))
	if err != nil || strings.Count(string(text), "widthRenamed(") != 2 ||
		!strings.Contains(string(text), "depth := width") {
		t.Errorf("%s, %v", text, err)
	}
	cmd := exec.Command("go", "test", ".")
	cmd.Dir = dir
	if said, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, said)
	}
	if name, err := rename(t.TempDir()); err == nil {
		t.Errorf("%s was renamed in an empty directory", name)
	}
}

const bench = `{"schema": "hone.bench/1", "elapsed_ns": 30000000000,
	"benchmarks": [{"name": "Parse", "package": "p", "gates": [{"gate": {"gate": "time<+5%"}, "outcome": "failed"}]},
		{"name": "Join", "package": "p", "gates": [{"gate": {"gate": "time<+5%"}, "outcome": "undecided"}]}],
	"unchanged": [{"package": "p", "name": "Split", "gates": [{"gate": {"gate": "time<+5%"}, "outcome": "passed"}]},
		{"package": "p", "name": "Cut", "reason": "executes nothing that changed",
			"gates": [{"gate": {"gate": "time<+5%"}, "outcome": "passed"}]}],
	"failures": [{"package": "p", "name": "Broken"}]}`

// Gates of all benchmarks count, also of those that were not measured.
func TestRead(t *testing.T) {
	var a answer
	if err := a.read([]byte(bench)); err != nil {
		t.Fatal(err)
	}
	a.Exit, a.Seconds = 1, 100
	r := record{Said: &a}
	if a.Passed != 2 || a.Failed != 1 || a.Open != 1 || a.Benchmarks != 2 || a.SameCode != 1 || a.NotExecuted != 1 ||
		a.Faults != 1 || a.Measured != 30 || len(a.FailedOf) != 1 || !strings.Contains(a.FailedOf[0], "Parse") {
		t.Errorf("%+v", a)
	}
	if !r.stopped() || r.inTime() {
		t.Errorf("stopped %v, in time %v", r.stopped(), r.inTime())
	}
	if a.Open, a.Seconds = 0, 181; r.inTime() {
		t.Error("181 s are in time")
	}
	if err := a.read([]byte("nothing")); err == nil {
		t.Error("nothing was read")
	}
}

// The document holds both kinds of requests against their goals.
func TestDocument(t *testing.T) {
	var records []record
	for i := range 40 {
		records = append(records,
			record{Repo: "sirupsen/logrus", Commit: fmt.Sprint(i), Kind: renamed,
				Said: &answer{Seconds: 20, SameCode: 30, Passed: 30}},
			record{Repo: "sirupsen/logrus", Commit: "x", Planted: size, Said: &answer{Exit: 1, Failed: 1, Seconds: 90}})
	}
	records[0].Said = &answer{Exit: 8, Open: 1, Passed: 29, Seconds: 20, Benchmarks: 1}
	for _, i := range []int{1, 3, 5} {
		records[i].Said = &answer{Exit: 8, Open: 1, Seconds: 300}
	}
	res := &bed.Result{}
	document(res, records)
	for _, line := range []string{"builds included: 39 of 40, 97.5 %", "goal at least 95 %: held", "1 benchmarks measured",
		"stopped by time<+5%: 37 of 40, 92.5 %", "goal at least 95 %: missed", "sirupsen/logrus  renamed"} {
		if !strings.Contains(res.Text(), line) {
			t.Errorf("no %q in\n%s", line, res.Text())
		}
	}
}
