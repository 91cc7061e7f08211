package extension

import (
	"encoding/json"
	"os"
	"os/exec"
	"strings"
	"syscall"

	"github.com/gohone/hone/internal/spec/cli"
	"github.com/gohone/hone/internal/text/fail"
)

// coreVariable tells an extension which hone runs it, as JSON of cli.Build.
const coreVariable = "HONE_CORE"

// Asked is an extension with the words of a command line, its own name first.
type Asked struct {
	Extension
	args []string
}

// Run replaces this process by the extension: arguments, files, signals and the exit code are then its own. It returns
// only if it cannot.
func (a Asked) Run(core cli.Build) error {
	cmd, err := a.Command(core, a.args[1:]...)
	if err != nil {
		return err
	}
	err = syscall.Exec(cmd.Path, cmd.Args, cmd.Env)
	return fail.New(fail.Environment, "run %s: %w", cmd.Path, err)
}

// Command is the extension as a child process of a hone.
func (e Extension) Command(core cli.Build, args ...string) (*exec.Cmd, error) {
	path, err := e.Find()
	if err != nil {
		return nil, e.missing(core)
	}
	document, err := json.Marshal(core)
	if err != nil {
		return nil, err
	}
	return &exec.Cmd{Path: path, Args: append([]string{e.Program()}, args...),
		Env: append(os.Environ(), coreVariable+"="+string(document))}, nil
}

// agree refuses an extension that is not of the version of the hone that runs it: the two share formats on disk. Run by
// itself, it has only the schema of the ledger to go by.
func agree(program, core string, mine cli.Build) error {
	var theirs cli.Build
	if core == "" || json.Unmarshal([]byte(core), &theirs) != nil || mine.SameAs(theirs) {
		return nil
	}
	e := Extension{Name: strings.TrimPrefix(program, "hone-")}
	return fail.New(fail.Environment, "%s is %s, and hone is %s", program, mine.Version, theirs.Version).
		WithHint("install the same version: %s", e.install(theirs))
}
