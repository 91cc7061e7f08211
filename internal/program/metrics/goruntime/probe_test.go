//go:build unix

package goruntime

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/prometheus/client_golang/prometheus/collectors"
	"go.uber.org/goleak"

	"github.com/gohone/hone/internal/program/probeclient"
	_ "github.com/gohone/hone/probe" // this binary is the subject as well
)

// subjectVariable makes this test binary a program that waits for the end of its input.
const subjectVariable = "HONE_TEST_SUBJECT"

func TestMain(m *testing.M) {
	if os.Getenv(subjectVariable) != "" {
		fmt.Println("ready") // the probe opened its socket before main began
		_, _ = io.Copy(io.Discard, os.Stdin)
		return
	}
	goleak.VerifyTestMain(m)
}

// Another process of the same binary, through the probe's socket: what crosses it is whole,
// down to the bounds of the histograms.
func TestThroughTheProbe(t *testing.T) {
	socket := filepath.Join(t.TempDir(), "s")
	cmd := exec.CommandContext(t.Context(), os.Args[0])
	cmd.Env = append(os.Environ(), subjectVariable+"=1", "HONE_PROBE_SOCKET="+socket)
	input, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	output, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if line, err := bufio.NewReader(output).ReadString('\n'); err != nil || line != "ready\n" {
		t.Fatalf("the subject says %q, %v", line, err)
	}

	c := New(func(ctx context.Context) (probeclient.Metrics, error) { return probeclient.At(socket).Metrics(ctx) }, 0)
	ours := gather(t, c)
	if up := ours[upName].GetMetric()[0].GetGauge().GetValue(); up != 1 {
		t.Fatalf("the runtime is not read: %v", ours)
	}
	for name, want := range gather(t,
		collectors.NewGoCollector(collectors.WithGoCollectorRuntimeMetrics(collectors.MetricsAll))) {
		if name == "go_info" || name == "go_gc_duration_seconds" || name == "go_memstats_last_gc_time_seconds" {
			continue
		}
		got := ours[name]
		if got == nil || got.GetType() != want.GetType() {
			t.Errorf("%s: %v, want a %v", name, got, want.GetType())
			continue
		}
		for i, b := range want.GetMetric()[0].GetHistogram().GetBucket() {
			if bound := got.GetMetric()[0].GetHistogram().GetBucket()[i].GetUpperBound(); bound != b.GetUpperBound() {
				t.Errorf("%s: bucket %d ends at %v, want %v", name, i, bound, b.GetUpperBound())
			}
		}
	}
	if value := ours["go_memstats_heap_alloc_bytes"].GetMetric()[0].GetGauge().GetValue(); value <= 0 {
		t.Errorf("a heap of %v bytes", value)
	}

	if err := input.Close(); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil {
		t.Fatal(err)
	}
	gone := gather(t, c)
	if len(gone) != 1 || gone[upName].GetMetric()[0].GetGauge().GetValue() != 0 {
		t.Errorf("a subject that is gone leaves %v", gone)
	}
}
