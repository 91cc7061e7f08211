// Command linkcache runs a tool of Go for go build -toolexec, and keeps what the linker makes: a program that is built
// again from the same is copied and not linked again. Stories build the same programs many times, and linking is most
// of a build whose packages are cached. It keeps them in the directory "linked" next to itself.
package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		var exit *exec.ExitError
		if !errors.As(err, &exit) {
			fmt.Fprintln(os.Stderr, "linkcache:", err)
		}
		os.Exit(1)
	}
}

// run carries out a command, or copies what it made before.
func run(command []string) error {
	kept, out := keptOf(command)
	if kept == "" {
		return syscall.Exec(command[0], command, os.Environ())
	}
	if copyFile(out, kept) == nil {
		return nil
	}
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	if err := cmd.Run(); err != nil {
		return err
	}
	part := fmt.Sprintf("%s.%d", kept, os.Getpid())
	defer os.Remove(part)
	if err := errors.Join(os.MkdirAll(filepath.Dir(kept), 0o700), copyFile(part, out)); err != nil {
		return err
	}
	return os.Rename(part, kept)
}

// keptOf is where a command that links keeps what it makes, and where go wants it; empty for other commands. The id of
// a build stands for all that goes into it.
func keptOf(command []string) (kept, out string) {
	self, err := os.Executable()
	if err != nil || filepath.Base(command[0]) != "link" {
		return "", ""
	}
	for i, arg := range command {
		if id, ok := strings.CutPrefix(arg, "-buildid="); ok {
			kept = filepath.Join(filepath.Dir(self), "linked", strings.ReplaceAll(id, "/", "."))
		}
		if arg == "-o" && i+1 < len(command) {
			out = command[i+1]
		}
	}
	if out == "" {
		return "", ""
	}
	return kept, out
}

func copyFile(to, from string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o700)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Close())
}
