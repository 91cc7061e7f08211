package gctrace

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"
)

// Lines of several releases.
func TestParse(t *testing.T) {
	for _, c := range []struct {
		name, line string
		want       Cycle
	}{
		{"Go 1.10", "gc 27 @0.127s 2%: 0.026+0.39+0.10 ms clock, 0.10+0.88/0.52/0+0.80 ms cpu, 4->5->1 MB, 5 MB goal, 8 P\n", Cycle{
			Number: 27, At: 127 * time.Millisecond, Share: 2,
			Clock: Clock{26 * time.Microsecond, 390 * time.Microsecond, 100 * time.Microsecond},
			CPU: CPU{100 * time.Microsecond, 880 * time.Microsecond, 520 * time.Microsecond, 0,
				800 * time.Microsecond},
			HeapStart: 4 << 20, HeapEnd: 5 << 20, Live: 1 << 20, Goal: 5 << 20, Procs: 8,
		}},
		{"Go 1.26, forced",
			"gc 3 @12.5s 0%: 0+1+0.5 ms clock, 0+0/0.25/0.75+1 ms cpu, 100->120->60 MB, 200 MB goal, 1 MB stacks, 2 MB globals, 16 P (forced)", Cycle{
				Number: 3, At: 12500 * time.Millisecond,
				Clock:     Clock{0, time.Millisecond, 500 * time.Microsecond},
				CPU:       CPU{0, 0, 250 * time.Microsecond, 750 * time.Microsecond, time.Millisecond},
				HeapStart: 100 << 20, HeapEnd: 120 << 20, Live: 60 << 20, Goal: 200 << 20, Stacks: 1 << 20,
				Globals: 2 << 20, Procs: 16, Forced: true,
			}},
	} {
		got, err := Parse(c.line)
		if err != nil || !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %+v (%v), want %+v", c.name, got, err, c.want)
		}
	}
	c, _ := Parse("gc 27 @0.127s 2%: 0.026+0.39+0.10 ms clock, 0.10+0.88/0.52/0+0.80 ms cpu, 4->5->1 MB, 5 MB goal, 8 P")
	if c.Clock.Pause() != 126*time.Microsecond || c.CPU.Total() != 2300*time.Microsecond {
		t.Errorf("pause %v, CPU %v", c.Clock.Pause(), c.CPU.Total())
	}
}

func TestParseRefuses(t *testing.T) {
	for _, line := range []string{
		"", "gc", "listening on :8080", "scvg: 8 MB released",
		"gc 1 @0.1s 2%: 0.026+0.39 ms clock, 0.10+0.88/0.52/0+0.80 ms cpu, 4->5->1 MB, 5 MB goal, 8 P",
		"gc 1 @0.1s 2%: 0.026+0.39+0.10 ms clock, 0.10+0.88/0.52/0+0.80 ms cpu, 4->5->1 MB, 5 MB goal",
	} {
		if _, err := Parse(line); !errors.Is(err, ErrNotCycle) {
			t.Errorf("%q: %v", line, err)
		}
	}
	huge := "gc 99999999999999999999 @0.127s 2%: 0.026+0.39+0.10 ms clock, 0.10+0.88/0.52/0+0.80 ms cpu, 4->5->1 MB, 5 MB goal, 8 P"
	if _, err := Parse(huge); err == nil || errors.Is(err, ErrNotCycle) {
		t.Errorf("a number out of range: %v", err)
	}
}

func TestReadPassesOverTheRest(t *testing.T) {
	line := "gc 1 @0.1s 2%: 0.1+0.2+0.3 ms clock, 0.1+0.2/0.3/0.4+0.5 ms cpu, 4->5->1 MB, 5 MB goal, 8 P\n"
	text := "hello\n" + line + strings.Repeat("x", 3*maxLine) + "\n" + "gc 2 @0.2s mixed with other output\n" +
		strings.TrimSuffix(strings.Replace(line, "gc 1 ", "gc 3 ", 1), "\n")
	log, err := Read(strings.NewReader(text))
	if err != nil || len(log.Processes) != 1 || len(log.Processes[0].Cycles) != 2 || log.Damaged != 1 {
		t.Errorf("%+v, %v", log, err)
	}
}

// What this very toolchain writes.
func TestReadOfARealProgram(t *testing.T) {
	dir := t.TempDir()
	source := `package main

import "runtime"

var kept [][]byte

func main() {
	for i := 0; i < 2000; i++ {
		kept = append(kept, make([]byte, 16<<10))
		if i%500 == 499 {
			runtime.GC()
		}
	}
}
`
	file := filepath.Join(dir, "main.go")
	if err := os.WriteFile(file, []byte(source), 0o600); err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(dir, "main") // go run would mix in what the go command collects
	if out, err := exec.Command("go", "build", "-o", program, file).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	cmd := exec.Command(program)
	cmd.Env = append(os.Environ(), "GODEBUG=gctrace=1")
	var stderr strings.Builder
	cmd.Stderr = &stderr
	if err := cmd.Run(); err != nil {
		t.Fatal(err)
	}
	// The program may end while another thread writes a line.
	whole := stderr.String()[:strings.LastIndex(stderr.String(), "\n")+1]
	log, err := Read(strings.NewReader(whole))
	if err != nil || log.Damaged != 0 || len(log.Processes) != 1 {
		t.Fatalf("%+v, %v in\n%s", log, err, &stderr)
	}
	cycles := log.Processes[0].Cycles
	forced := 0
	for _, c := range cycles {
		if c.Forced {
			forced++
		}
		if c.Number == 0 || c.Goal == 0 || c.Procs == 0 {
			t.Errorf("%+v", c)
		}
	}
	// A collection that is asked for while one runs may be one that was due anyway.
	if len(cycles) < 4 || forced == 0 {
		t.Errorf("%d collections, %d of them forced; want 4, and some", len(cycles), forced)
	}
}

func FuzzParse(f *testing.F) {
	f.Add("gc 27 @0.127s 2%: 0.026+0.39+0.10 ms clock, 0.10+0.88/0.52/0+0.80 ms cpu, 4->5->1 MB, 5 MB goal, 8 P")
	f.Add("gc 3 @12.5s 0%: 0+1+0.5 ms clock, 0+0/0.25/0.75+1 ms cpu, 100->120->60 MB, 200 MB goal, 1 MB stacks, 2 MB globals, 16 P (forced)")
	f.Fuzz(func(t *testing.T, line string) {
		c, err := Parse(line)
		if err == nil && (c.At < 0 || c.Clock.Mark < 0 || c.CPU.Idle < 0 || c.Procs < 0) {
			t.Errorf("%q: %+v", line, c)
		}
	})
}
