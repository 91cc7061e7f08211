package memory

import (
	"bufio"
	"bytes"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/gohone/hone/internal/sys/machine"
)

// subject builds the program of testdata by some flags: with debugging information, whatever GOFLAGS says.
func subject(t *testing.T, flags ...string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "uses")
	args := append([]string{"build", "-trimpath", "-ldflags=", "-o", path}, flags...)
	build := exec.CommandContext(t.Context(), "go", append(args, "./testdata/uses")...)
	if text, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	return path
}

// started runs the program with memory of a kind until the test ends, and waits until it has it.
func started(t *testing.T, program, kind string) (pid int) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), program, kind, t.TempDir())
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		in.Close()
		cmd.Process.Kill()
		cmd.Wait()
	})
	if line, err := bufio.NewReader(out).ReadString('\n'); line != "ready\n" {
		t.Fatalf("%q, %v", line, err)
	}
	return cmd.Process.Pid
}

// Each kind of memory is the largest part, of about the size that the program made, and the parts add up to what the
// kernel says by itself.
func TestKinds(t *testing.T) {
	program := subject(t)
	for kind, want := range map[string]struct {
		part  string
		bytes float64
	}{
		"live":          {LiveHeap, 80 * 1 << 20},
		"garbage":       {Garbage, 75 * 1 << 20},
		"garbage-early": {FreeSpans, 75 * 1 << 20},
		"peak":          {FreeSpans, 115 * 1 << 20},
		"night":         {FreeSpans, 100 * 1 << 20},
		"fragmentation": {Fragmentation, 97 * 1 << 20},
		"goroutines":    {Stacks, 30_000 * 2048},
		"deep":          {Stacks, 84 * 1 << 20},
		"untouched":     {LiveHeap, 40 * 1 << 20},
		"variables":     {Binary, 96 * 1 << 20},
		"file":          {Files, 96 * 1 << 20},
		"shared":        {Shared, 96 * 1 << 20},
		"anonymous":     {Other, 96 * 1 << 20},
	} {
		t.Run(kind, func(t *testing.T) {
			pid := started(t, program, kind)
			a, err := OfProcess(t.Context(), pid, nil)
			if err != nil {
				t.Fatal(err)
			}
			p := a.Part(want.part)
			if p == nil || math.Abs(float64(p.Bytes)/want.bytes-1) > 0.1 {
				t.Errorf("want %.0f bytes of %s in %+v", want.bytes, want.part, a)
			} else if a.Largest != want.part || p.Shrink == "" {
				t.Errorf("the largest is %s: %+v", a.Largest, a)
			}
			checkSum(t, pid, a)
		})
	}
}

// checkSum compares the sum of the parts with VmRSS.
func checkSum(t *testing.T, pid int, a *Account) {
	t.Helper()
	sum := uint64(0)
	for _, p := range a.Parts {
		sum += p.Bytes
	}
	if sum+a.Unaccounted != a.Resident {
		t.Errorf("parts of %d and %d not accounted for of %d", sum, a.Unaccounted, a.Resident)
	}
	text, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/status")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := bytes.Cut(text, []byte("VmRSS:"))
	kB, err := strconv.ParseFloat(string(bytes.Fields(rest)[0]), 64)
	if err != nil || math.Abs(float64(sum)/(kB*1024)-1) > 0.03 {
		t.Errorf("the parts add up to %d, VmRSS is %.0f kB, %v", sum, kB, err)
	}
}

// A log that is open is in the page cache, and not resident.
func TestOpenFilesAreInThePageCache(t *testing.T) {
	a, err := OfProcess(t.Context(), started(t, subject(t), "cache"), nil)
	if err != nil {
		t.Fatal(err)
	}
	if a.Cached == nil {
		if strings.Contains(strings.Join(a.Missing, ""), errNoCacheStat.Error()) {
			t.Skip(errNoCacheStat)
		}
		t.Fatalf("no page cache: %+v", a)
	}
	if a.Cached.Bytes < 90<<20 || a.Cached.Of[0].Name != "log" || a.Largest != PageCache || a.Resident > 20<<20 {
		t.Errorf("%+v, largest %s, resident %d", a.Cached, a.Largest, a.Resident)
	}
}

// A stripped program does not say what its runtime counts: that is told, and the sum is right all the same.
func TestStripped(t *testing.T) {
	pid := started(t, subject(t, "-ldflags=-s -w"), "live")
	a, err := OfProcess(t.Context(), pid, nil)
	if err != nil {
		t.Fatal(err)
	}
	if p := a.Part(GoHeap); p == nil || p.Bytes < 80<<20 || !strings.Contains(strings.Join(a.Missing, "\n"),
		"built with -ldflags=-s") {
		t.Errorf("%+v", a)
	}
	checkSum(t, pid, a)
}

// To be read costs a process next to nothing, and stops none of its goroutines.
func TestTheProcessDoesNotNotice(t *testing.T) {
	pid := started(t, subject(t), "goroutines")
	in, end, err := NewInside(pid)
	if err != nil {
		t.Fatal(err)
	}
	defer end()
	before, err := machine.ProcessCPU(pid)
	if err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	const readings = 10
	for range readings {
		if _, err := Read(t.Context(), pid, in.Ask); err != nil {
			t.Fatal(err)
		}
	}
	took := time.Since(began)
	after, err := machine.ProcessCPU(pid)
	if used := after - before; err != nil || used > readings*time.Second/100 {
		t.Errorf("one account a second takes %v of %d s, %v", used, readings, err)
	}
	t.Logf("%v each", took/readings)
}
