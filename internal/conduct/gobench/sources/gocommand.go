package sources

import (
	"context"
	"errors"
	"fmt"
	"os/exec"

	"github.com/gohone/hone/internal/conduct/gobench/process"
	"github.com/gohone/hone/internal/text/fail"
)

// goPath finds the go command.
func goPath() (string, error) {
	path, err := exec.LookPath("go")
	if err != nil {
		return "", fail.New(fail.Environment,
			"there is no go command in PATH").WithHint("install Go, or add its bin directory to PATH")
	}
	return path, nil
}

// GoCommand runs the go command on a side and returns its standard output. What it starts
// is killed with it when ctx is done. explain makes an error of a command that failed, given
// the end of its output.
func GoCommand(ctx context.Context, s *Side, explain func(why error) error, args ...string) (string, error) {
	path, err := goPath()
	if err != nil {
		return "", err
	}
	e, err := process.Program{Path: path, Dir: s.Dir, Env: s.Env}.Run(ctx, args...)
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		err = explain(fmt.Errorf("%w\n%s", exit, process.LastLines(e.Stderr+"\n"+e.Stdout)))
	}
	return e.Stdout, err
}

// LinkerHelp is what the linker of a side says of its flags; "" if it says nothing.
func LinkerHelp(ctx context.Context, s *Side) string {
	path, err := goPath()
	if err != nil {
		return ""
	}
	e, _ := process.Program{Path: path, Dir: s.Dir, Env: s.Env}.Run(ctx, "tool", "link", "-h") // it exits with 2
	return e.Stderr + e.Stdout
}
