package metrics_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/gohone/hone/internal/program/metrics"
	"github.com/gohone/hone/internal/testkit/mounttest"
	"github.com/gohone/hone/internal/text/fail"
)

// Where the disk is full a run's series give up their room: its record is worth more.
func TestFullDiskGivesUpTheSeries(t *testing.T) {
	mounttest.Run(t, func(t *testing.T, dir string) {
		mounttest.Tmpfs(t, dir, "size=600k")
		store := metrics.In(filepath.Join(dir, "ledger"))
		own := prometheus.NewRegistry()
		own.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: "n", Help: "Number."},
			func() float64 { return 1 }))
		r := record(t, store, metrics.RunOptions{Run: "r1",
			Sources: map[string]prometheus.Gatherer{metrics.JobLoad: own}})
		other, err := os.Create(filepath.Join(dir, "other"))
		for err == nil {
			_, err = other.Write(make([]byte, 1<<10))
		}
		if !errors.Is(err, syscall.ENOSPC) {
			t.Fatal(err)
		}
		err = r.Stop()
		if fail.ExitCode(err) != int(fail.Storage) || !strings.Contains(err.Error(), "given up: ") {
			t.Fatalf("Stop: %v", err)
		}
		if runs, err := store.Runs(); err != nil || len(runs) != 0 {
			t.Errorf("left behind: %v, %v", runs, err)
		}
	})
}
