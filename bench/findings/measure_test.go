package findings

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gohone/hone/bench/bed"
	"github.com/gohone/hone/bench/honecli"
)

// script answers as hone would for one program, and fails for another one.
const script = `#!/bin/sh
case "$*" in
*big-copy/speaks*) echo "no port" >&2; exit 3 ;;
run*) echo '{"id":"r1"}' ;;
advise*--save*) echo view >"$5" ;;
advise*) echo '{"schema":"hone.findings/1","findings":[{"rule":"json-any","place":{"function":"main.f","file":"main.go","line":1},"measure":"CPU per request","cost":0.2,"gain":0.1}]}' ;;
compare*) echo '{"comparison":{"contests":[{"verdicts":[{"measure":{"key":"cpu"},"verdict":"faster","ratio":0.8,"low":0.7,"high":0.9},{"measure":{"key":"allocs"}}]}]}}' ; exit 8 ;;
esac
`

// A program that fails is named and does not keep the others from being measured.
func TestSession(t *testing.T) {
	dir := t.TempDir()
	program := filepath.Join(dir, "hone")
	if err := os.WriteFile(program, []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Chdir("..") // where benchmarks run
	b := bed.New("findings")
	b.Records, b.Resume, b.Hone = filepath.Join(dir, "results.jsonl"), true, honecli.Hone{Program: program, Dir: root, Ledger: dir}
	c := config{Bed: b, trials: []*trial{trialNamed(t, "big-copy"), trialNamed(t, "json-any")}, parts: []part{speaks, gain}, record: dir}
	err := c.measure(t.Context())
	if err == nil || !strings.Contains(err.Error(), "big-copy/speaks: ") || strings.Contains(err.Error(), "json-any") {
		t.Errorf("%v: want an error of big-copy only", err)
	}
	records, err := bed.Read[record](b.Records, resultsSchema)
	if err != nil {
		t.Fatal(err)
	}
	all := last(records)
	if r := all["big-copy"][speaks]; r == nil || !strings.Contains(r.Failed, "no port") {
		t.Errorf("big-copy: %+v", r)
	}
	if r := all["json-any"][speaks]; r == nil || r.Failed != "" || len(r.Said.Findings) != 1 || len(r.Marks) == 0 {
		t.Errorf("json-any: %+v", r)
	}
	if r := all["json-any"][gain]; r == nil || len(r.Changes) != 1 || r.Changes["cpu"].Ratio != 0.8 {
		t.Errorf("json-any's gain: %+v", r)
	}
	if text, err := os.ReadFile(filepath.Join(dir, "json-any", "speaks.view")); err != nil || string(text) != "view\n" {
		t.Errorf("recorded: %q, %v", text, err)
	}
	c.trials = c.trials[1:]
	err = c.measure(t.Context())
	if again, read := bed.Read[record](b.Records, resultsSchema); err != nil || read != nil || len(again) != len(records) {
		t.Errorf("measured again: %v, %v, %d records after %d", err, read, len(again), len(records))
	}
}
