package ledger

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// helper plays role in the ledger at dir until it is killed or stdin ends.
func helper(role, dir string) error {
	switch role {
	case "write": // stores run after run, and says every step
		l, err := Open(dir)
		if err != nil {
			return err
		}
		for i := 0; ; i++ {
			label := fmt.Sprintf("%s-%d", os.Getenv("LEDGER_TEST_LABEL"), i)
			id, err := store(l, label, func(step, id string) { fmt.Println(step, id, label) })
			if err != nil {
				return err
			}
			if _, err := l.SetBaseline("", id, label); err != nil {
				return err
			}
			fmt.Println("pinned", id, label)
		}
	case "hold": // has one run under way, and the lock, until stdin ends
		l, err := Open(dir)
		if err != nil {
			return err
		}
		d, err := l.BeginRun(Run{Label: "held"})
		if err != nil {
			return err
		}
		fmt.Println("holding", d.ID())
		io.Copy(io.Discard, os.Stdin)
		return l.Close()
	}
	return fmt.Errorf("no role %q", role)
}

// other is another process of the story.
type other struct {
	cmd   *exec.Cmd
	lines *bufio.Scanner
	stdin io.WriteCloser
	errs  *strings.Builder
}

func startOther(t *testing.T, role, dir string, env ...string) *other {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	t.Cleanup(cancel)
	o := &other{cmd: exec.CommandContext(ctx, exe), errs: &strings.Builder{}}
	o.cmd.Env = append(os.Environ(), "LEDGER_TEST_ROLE="+role, "LEDGER_TEST_DIR="+dir)
	o.cmd.Env = append(o.cmd.Env, env...)
	o.cmd.Stderr = o.errs
	if o.stdin, err = o.cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	out, err := o.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	o.lines = bufio.NewScanner(out)
	if err := o.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return o
}

// next waits for the next line that the other says; "" when it has ended.
func (o *other) next() []string {
	if !o.lines.Scan() {
		return nil
	}
	return strings.Fields(o.lines.Text())
}

// kill ends it by SIGKILL, and returns what it had still said.
func (o *other) kill() (rest [][]string) {
	o.cmd.Process.Kill()
	for line := o.next(); line != nil; line = o.next() {
		rest = append(rest, line)
	}
	o.cmd.Wait()
	return rest
}
