package cli

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"syscall"
	"testing"
)

// asStuck makes the test program one that has begun work which looks at no context.
const asStuck = "HONE_TEST_STUCK"

// The first signal ends one context, the second the other, and the third the process, whatever it does.
func TestTheThirdSignalEndsTheProcess(t *testing.T) {
	if os.Getenv(asStuck) != "" {
		soft, hard, stop := Signals()
		defer stop()
		fmt.Println("ready")
		<-soft.Done()
		fmt.Println("soft")
		<-hard.Done()
		fmt.Println("hard")
		for {
			runtime.Gosched()
		}
	}
	stuck := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestTheThirdSignalEndsTheProcess$")
	stuck.Env = append(os.Environ(), asStuck+"=1")
	out, err := stuck.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := stuck.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	for _, want := range []string{"ready", "soft", "hard"} {
		if !lines.Scan() || lines.Text() != want {
			t.Fatalf("it says %q, want %q", lines.Text(), want)
		}
		if err := stuck.Process.Signal(syscall.SIGINT); err != nil {
			t.Fatal(err)
		}
	}
	err = stuck.Wait()
	if status, is := stuck.ProcessState.Sys().(syscall.WaitStatus); !is || !status.Signaled() ||
		status.Signal() != syscall.SIGINT {
		t.Errorf("it ended with %v", err)
	}
}
