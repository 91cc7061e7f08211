package main

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/gohone/hone/internal/conduct/watch/ptytest"
)

// Fault 26 at a terminal: hone asks nothing and executes nothing of a hone.yaml that is not
// trusted. What would steer the terminal is shown and not obeyed.
func TestAnUntrustedFileOnATerminal(t *testing.T) {
	t.Parallel()
	dir, trap := t.TempDir(), filepath.Join(t.TempDir(), "sprung")
	write(t, filepath.Join(dir, "go.mod"), "module example.com/hostile\n\ngo 1.22\n")
	write(t, filepath.Join(dir, "main.go"), "package main\n\nfunc main() {}\n")
	write(t, filepath.Join(dir, "hone.yaml"), `version: 1
subject:
  package: .
  args: ["\e[2J"]
  prepare: [touch, "`+trap+`"]
`)
	cmd := exec.Command(honeBinary, "run")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "TERM=xterm-256color", "XDG_CONFIG_HOME="+t.TempDir())
	term := ptytest.Start(t, cmd, 200, 30)
	if code := term.AwaitExit(); code != 6 {
		t.Errorf("exit code %d, want 6", code)
	}
	term.AwaitText("hone.yaml is not trusted with this content", "touch "+trap, `"\x1b[2J"`,
		"hint: read it, and if you agree: hone trust hone.yaml")
	for _, left := range []string{trap, filepath.Join(dir, ".hone")} {
		if _, err := os.Lstat(left); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: %v, and it must not be there", left, err)
		}
	}
}

// On a terminal hone trust asks, and only yes is consent. --yes is consent without a question.
func TestTrustAsksOnATerminal(t *testing.T) {
	t.Parallel()
	dir, home := t.TempDir(), t.TempDir()
	write(t, filepath.Join(dir, "go.mod"), "module example.com/asked\n\ngo 1.22\n")
	write(t, filepath.Join(dir, "main.go"), "package main\n\nfunc main() {}\n")
	write(t, filepath.Join(dir, "hone.yaml"), "version: 1\nsubject:\n  package: .\n")
	start := func(args ...string) *ptytest.Terminal {
		cmd := exec.Command(honeBinary, append([]string{"trust"}, args...)...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "TERM=xterm-256color", "XDG_CONFIG_HOME="+home)
		return ptytest.Start(t, cmd, 200, 30)
	}
	for _, asked := range []struct {
		args   []string
		answer string
		code   int
		says   string
	}{
		{nil, "n\r", 6, "nothing was recorded"},
		{nil, "\r", 6, "nothing was recorded"},
		{nil, "y\r", 0, "trusted: "},
		{[]string{"--yes"}, "", 0, "trusted: "},
	} {
		term := start(asked.args...)
		if asked.answer != "" {
			term.AwaitText("allow it? [y/N]")
			term.Press(asked.answer)
		}
		if code := term.AwaitExit(); code != asked.code {
			t.Errorf("%q answered by %q: exit code %d, want %d", asked.args, asked.answer, code, asked.code)
		}
		term.AwaitText(asked.says)
	}
}
