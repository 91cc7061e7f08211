package metrics

import (
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/gohone/hone/internal/fail"
	"github.com/gohone/hone/internal/mounttest"
)

// Where the disk is full a run's series give up their room: its rows are worth more.
func TestFullDiskGivesUpTheSeries(t *testing.T) {
	mounttest.Run(t, func(t *testing.T, dir string) {
		mounttest.Tmpfs(t, dir, "size=600k")
		store := In(dir)
		own := prometheus.NewRegistry()
		own.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: "n", Help: "Number."}, func() float64 { return 1 }))
		r := record(t, store, RunOptions{Run: "r1", Sources: map[string]prometheus.Gatherer{JobLoad: own}})
		waitFor(t, "samples", func() bool { return has(t, r, "n") })
		err := r.Stop() // a block's first file is made larger than that
		if fail.ExitCode(err) != int(fail.Storage) || !strings.Contains(err.Error(), "given up: ") {
			t.Fatalf("Stop: %v", err)
		}
		if runs, err := store.Runs(); err != nil || len(runs) != 0 {
			t.Errorf("left behind: %v, %v", runs, err)
		}
	})
}
