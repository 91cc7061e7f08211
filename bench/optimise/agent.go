package optimise

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/gohone/hone/bench/honecli"
)

// agent is an optimiser.
type agent struct {
	name string
	// work changes the files of a task in a directory. An error says why it gave up; what it changed is judged even so.
	work func(ctx context.Context, j job) error
	// there says why the agent cannot work here; nil if it can.
	there func(ctx context.Context, hone honecli.Hone) error
}

// String is its name.
func (a agent) String() string { return a.name }

// job is what an agent gets.
type job struct {
	config
	task task
	// dir has the files, text is the file that says what to do.
	dir, text string
}

// builtIn are the agents that results are held against: nothing, the merged commit, and hone itself.
var builtIn = []agent{
	{"none", func(context.Context, job) error { return nil }, always},
	{"reference", func(ctx context.Context, j job) error { return j.merge(ctx) }, always},
	{"fix", fix, hasFix},
}

func always(context.Context, honecli.Hone) error { return nil }

// fix has hone apply what it finds itself.
func fix(ctx context.Context, j job) error {
	hone := j.Hone
	hone.Dir = filepath.Join(j.dir, j.task.Dir)
	if _, err := hone.Run(ctx, []int{honecli.Undecided}, "fix", "--bench", j.task.Pattern(), "--quiet"); err != nil {
		return err
	}
	return takeBranch(ctx, j.dir, "hone/fix-*")
}

// hasFix says whether hone has the command, for benchmarks.
func hasFix(ctx context.Context, hone honecli.Hone) error {
	help, err := hone.Run(ctx, nil, "fix", "--help")
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case err != nil:
		return errors.New("this hone has no command fix: build a newer one")
	case !bytes.Contains(help.Stdout, []byte("--bench ")):
		return errors.New("hone fix of this hone takes services only, no benchmarks: build a newer one")
	}
	return nil
}

// commandAgent is the agent of a command line, which the shell reads.
func commandAgent(name, command string) (agent, error) {
	name = cmp.Or(name, firstWord(command))
	if !strings.Contains(command, "{dir}") {
		return agent{}, fmt.Errorf("%q does not say where {dir} goes, the directory whose files it is to change",
			command)
	}
	for _, a := range builtIn {
		if a.name == name {
			return agent{}, fmt.Errorf("%q is the name of a built-in agent: give yours another one with -name", name)
		}
	}
	return agent{name: name, there: always, work: func(ctx context.Context, j job) error {
		words := strings.NewReplacer("{dir}", quoted(j.dir), "{task}", quoted(j.text)).Replace(command)
		return shell(ctx, j.dir, words)
	}}, nil
}

// quoted is a word as the shell takes it.
func quoted(word string) string { return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'" }

// tail is how much of what an agent writes is kept.
const tail = 400

// shell runs a command line. At its end, and at that of ctx, all processes of its group end: nothing of the agent is to
// run while its change is measured.
func shell(ctx context.Context, dir, line string) error {
	said, err := os.CreateTemp("", "hone-agent-") // a file: a pipe would stay open for what it leaves in the background
	if err != nil {
		return fmt.Errorf("keep what the agent writes: %w", err)
	}
	defer func() { _ = errors.Join(said.Close(), os.Remove(said.Name())) }()
	cmd := exec.CommandContext(ctx, "/bin/sh", "-c", line)
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, said, said
	cmd.Env = append(os.Environ(), "PWD="+dir)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	kill := func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.Cancel = kill
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("start the agent: %w", err)
	}
	err = cmd.Wait()
	for range 100 { // half a second; an error says that nothing is left in the background
		if kill() != nil {
			break
		}
		time.Sleep(5 * time.Millisecond)
	}
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case err != nil:
		text, _ := os.ReadFile(said.Name())
		text = bytes.TrimSpace(text)
		return fmt.Errorf("the agent ended with %w: %s", err, text[max(0, len(text)-tail):])
	}
	return nil
}
