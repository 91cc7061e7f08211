package extension

import (
	"encoding/json"
	"os"
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
	path, err := a.Find()
	if err != nil {
		return a.missing(core)
	}
	document, err := json.Marshal(core)
	if err != nil {
		return err
	}
	environment := append(os.Environ(), coreVariable+"="+string(document))
	err = syscall.Exec(path, append([]string{a.Program()}, a.args[1:]...), environment)
	return fail.New(fail.Environment, "run %s: %w", path, err)
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
