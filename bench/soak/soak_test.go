package main

import (
	"bytes"
	"fmt"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/gohone/hone/bench/side"
)

// Fault 31, in the stead of a day: hone's memory is flat under 20,000 requests/s. It has
// its size after the first seconds, in which the histograms and buffers are made; what
// grows with every request shows soon: 20,000 requests/s that leave 16 bytes each are 7 MB
// in 22 s.
func TestMemoryIsFlat(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("memory is read from /proc, which Linux has")
	}
	t.Parallel()
	const most = 6144 // kB; measured were 2 MB on a quiet machine, 3.4 MB on a busy one
	dir := t.TempDir()
	for program, from := range map[string]string{"hone": "../..", "soak": "."} {
		build := exec.Command("go", "build", "-ldflags=-w", "-o", filepath.Join(dir, program), map[string]string{"hone": "./cmd/hone", "soak": "."}[program])
		build.Dir = from
		if out, err := build.CombinedOutput(); err != nil {
			t.Fatalf("build %s: %v\n%s", program, err, out)
		}
	}
	soak := exec.Command(filepath.Join(dir, "soak"), "-hone", filepath.Join(dir, "hone"), "-d", "34s", "-settle", "12s", "-every", "1s",
		"-rates", "20000", "-server", side.NetHTTP, "-client-cpu", fmt.Sprint(min(1, runtime.NumCPU()-1)), "-most", fmt.Sprint(most))
	out, err := soak.CombinedOutput()
	if bytes.Contains(out, []byte(errTooFew.Error())) {
		t.Skipf("the machine is too busy for this load\n%s", out)
	}
	if err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	t.Logf("%s", out)
}
