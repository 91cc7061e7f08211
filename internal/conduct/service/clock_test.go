package service

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/gohone/hone/internal/conduct/lab"
	"github.com/gohone/hone/internal/program/build"
	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/load"
)

const answering = `package main

import (
	"net"
	"net/http"
	"os"
	"time"
)

func main() {
	ln, err := net.Listen("tcp", os.Args[1])
	if err != nil {
		panic(err)
	}
	if len(os.Args) > 2 { // so long it listens and does not answer
		d, _ := time.ParseDuration(os.Args[2])
		time.Sleep(d)
	}
	var wrong time.Duration // so long it answers with errors
	if len(os.Args) > 3 {
		wrong, _ = time.ParseDuration(os.Args[3])
	}
	began := time.Now()
	http.Serve(ln, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if time.Since(began) < wrong {
			http.Error(w, "not leader", 500)
		}
	}))
}
`

// Fault 20, for run and compare: the time of day is set forward and back by an hour while
// they measure. It is said, no stored time has a run end before it started, and what was
// measured is what the monotonic clock says.
func TestASteppedClockIsFlaggedInRuns(t *testing.T) {
	dir := answeringProgram(t)
	for _, c := range []struct {
		name     string
		step     time.Duration
		variants []build.Variant
	}{
		{"run forward", time.Hour, []build.Variant{{Name: "A", Source: "."}}},
		{"run back", -time.Hour, []build.Variant{{Name: "A", Source: "."}}},
		{"compare back", -time.Hour, []build.Variant{{Name: "A", Source: "."},
			{Name: "B", Source: ".", Env: []string{"GOGC=50"}}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			asked := 0
			wall := func() time.Time { // stepped from the second look on
				if asked++; asked > 1 {
					return time.Now().Round(0).Add(c.step)
				}
				return time.Now().Round(0)
			}
			store, err := ledger.OpenWith(filepath.Join(t.TempDir(), "ledger"), ledger.Options{Now: wall})
			if err != nil {
				t.Fatal(err)
			}
			defer store.Close()
			asked = 0
			l := &lab.Lab{Ledger: store, Guard: []string{os.Args[0], guardRole}, WorkDir: dir, Progress: silent{},
				Hard: t.Context(), Wall: wall}
			out, err := Measure(t.Context(), l, lab.Task{Parts: spec.Parts{
				Program: spec.Program{Variants: c.variants, Args: []string{"127.0.0.1:{port}"}, Grace: time.Second,
					ReadyTimeout: time.Minute},
				Load: spec.Load{Target: "http://127.0.0.1:{port}/",
					Plan:     load.Plan{Connections: 2, Depth: 1, Timeout: 10 * time.Second},
					Duration: 300 * time.Millisecond, Slice: 100 * time.Millisecond},
				Test: spec.Test{Budget: 3 * time.Second},
			}})
			if out == nil {
				t.Fatal(err)
			}
			for _, r := range out.Runs {
				if !slices.ContainsFunc(r.Warnings, func(w string) bool {
					return w == "the time of day was changed by "+c.step.String()+
						" during the measurement; durations are not affected"
				}) {
					t.Errorf("no word of the clock: %q (%v)", r.Warnings, err)
				}
			}
			rows, err := store.Runs(ledger.RunFilter{})
			if err != nil || len(rows) != len(c.variants) {
				t.Fatalf("%d rows, %v", len(rows), err)
			}
			for _, r := range rows {
				if r.Finished.Before(r.Started) {
					t.Errorf("run %s ended at %v and started at %v", r.ID, r.Finished, r.Started)
				}
			}
		})
	}
}
