package proc

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// The CPU time of a child is its own, and the reason of a failure is told.
func TestChild(t *testing.T) {
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("no sh")
	}
	ctx := context.Background()
	p, err := Start(ctx, -1, Command{Program: sh, Args: []string{"-c",
		`read line; i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done; echo "$line $WORD"`}, Stdin: "hello\n",
		Env: []string{"WORD=world"}})
	if err != nil {
		t.Fatal(err)
	}
	d, err := p.Wait()
	if err != nil || string(d.Stdout) != "hello world\n" {
		t.Fatalf("wrote %q, %v", d.Stdout, err)
	}
	if d.CPU <= 0 || d.Wall <= 0 {
		t.Errorf("took %v of CPU and %v, want more than nothing", d.CPU, d.Wall)
	}
	p, err = Start(ctx, -1, Command{Program: sh, Args: []string{"-c", "echo no such luck >&2; exit 3"}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.Wait(); err == nil || !strings.Contains(err.Error(), "exit status 3: no such luck") {
		t.Errorf("error %v, want the exit status and what was written", err)
	}
}

// A program that ends before it serves is an error, with what it said.
func TestServerThatEnds(t *testing.T) {
	_, err := Serve(t.Context(), -1, Command{Program: "/bin/sh", Args: []string{"-c", "echo no such luck >&2; exit 3"}})
	if err == nil || !strings.Contains(err.Error(), "no such luck") {
		t.Errorf("error %v, want what it said", err)
	}
	if _, err := Serve(t.Context(), -1, Command{Program: "/nonexistent/program"}); err == nil {
		t.Error("a program that is not there was started")
	}
}

func TestChildIsStopped(t *testing.T) {
	for _, end := range []func(*Child){(*Child).Stop, func(p *Child) { _ = p.Terminate() }} {
		p, err := Start(t.Context(), -1, Command{Program: "/bin/sh", Args: []string{"-c", "exec sleep 600"}})
		if err != nil {
			t.Fatal(err)
		}
		if p.Fault() != nil {
			t.Errorf("it runs, and ended: %v", p.Fault())
		}
		if end(p); p.Fault() == nil {
			t.Error("it was stopped and has not ended")
		}
	}
}

func TestUsageOfThisProcess(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("CPU clocks and /proc need Linux")
	}
	if now, peak, err := Memory(os.Getpid()); err != nil || now <= 0 || peak < now {
		t.Errorf("%d bytes now, %d at most, %v: want some memory and a peak no lower", now, peak, err)
	}
	used, err := CPUOf(os.Getpid(), func() error { return errors.New("no luck") })
	if err == nil || used < 0 {
		t.Errorf("used %v, %v", used, err)
	}
	for _, of := range []func() error{
		func() error { _, _, err := Memory(1 << 23); return err },
		func() error { _, err := CPUOf(1<<23, func() error { return nil }); return err },
	} {
		if of() == nil {
			t.Error("read a process that is not there")
		}
	}
}
