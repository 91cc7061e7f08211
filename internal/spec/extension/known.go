// Package extension joins hone with its extensions: hone NAME runs the program hone-NAME, as git, cargo and kubectl do.
// An extension holds what few users need and what would make hone large; it is a module of its own in cmd/hone-NAME.
package extension

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"

	"github.com/spf13/cobra"

	"github.com/gohone/hone/internal/spec/cli"
	"github.com/gohone/hone/internal/text/fail"
)

// Extension is a program of hone's that hone runs by its name.
type Extension struct {
	Name, Short string // hone-NAME; what it is for
}

// The extensions in hone's source. Agent is the one that hone starts by itself, too: as the coordinator of agents.
var (
	Agent   = Extension{"agent", "Send load from this machine for hone on another one, and list such agents"}
	Metrics = Extension{"metrics", "Query, serve and send the time series of runs"}
	Share   = Extension{"share", "Share runs through an object store, and their profiles with Pyroscope"}
	Sign    = Extension{"sign", "Sign receipts with the identity of a CI job, and check such signatures"}
)

// Known are all of them.
var Known = []Extension{Agent, Metrics, Share, Sign}

// Program is the name of its program.
func (e Extension) Program() string { return "hone-" + e.Name }

// Find returns the path of the program: in the directory of this executable, else in PATH.
func (e Extension) Find() (string, error) {
	if self, err := os.Executable(); err == nil {
		if path, err := exec.LookPath(filepath.Join(filepath.Dir(self), e.Program())); err == nil {
			return path, nil
		}
	}
	return exec.LookPath(e.Program())
}

// missing is the error for an extension that is not installed, with the command that installs it.
func (e Extension) missing(core cli.Build) error {
	return fail.New(fail.Environment, "%s is not installed (%s)", e.Program(), e.Short).WithHint("%s", e.install(core))
}

// install is how the extension of a version is installed.
func (e Extension) install(core cli.Build) string {
	if core.Released() {
		return fmt.Sprintf("go install github.com/gohone/hone/cmd/%s@%s", e.Program(), core.Version)
	}
	return fmt.Sprintf("in hone's source: go -C cmd/%s install .", e.Program())
}

// plainName is a name that cannot lead to another directory.
var plainName = regexp.MustCompile(`^[a-z][a-z0-9-]*$`)

// Named returns the extension that a command line asks for: a known one, or a program hone-NAME that is there and is
// not a command of root.
func Named(args []string, root *cobra.Command) (asked Asked, ok bool) {
	asked.args = args
	if len(args) > 2 && (args[0] == cobra.ShellCompRequestCmd || args[0] == cobra.ShellCompNoDescRequestCmd) {
		// the extension completes its own words
		args, asked.args = args[1:], append([]string{args[1], args[0]}, args[2:]...)
	}
	if len(args) == 0 || !plainName.MatchString(args[0]) {
		return asked, false
	}
	for _, known := range Known {
		if known.Name == args[0] {
			asked.Extension = known
			return asked, true
		}
	}
	for _, cmd := range root.Commands() {
		if cmd.Name() == args[0] || cmd.HasAlias(args[0]) {
			return asked, false
		}
	}
	asked.Extension = Extension{Name: args[0]}
	_, err := asked.Find()
	return asked, err == nil
}

// annotation marks the command of an extension, and has the name of its program.
const annotation = "hone_extension"

// MissingProgram is the program that a command is, if that is an extension that is not installed, and how it is
// installed.
func MissingProgram(cmd *cobra.Command, core cli.Build) (program, install string, missing bool) {
	for _, e := range Known {
		if e.Program() != cmd.Annotations[annotation] {
			continue
		}
		if _, err := e.Find(); err != nil {
			return e.Program(), e.install(core), true
		}
	}
	return "", "", false
}

// Commands are extensions as commands, for help and for completion. Named has taken those that are executed.
func Commands(some ...Extension) []*cobra.Command {
	var all []*cobra.Command
	for _, e := range some {
		cmd := &cobra.Command{Use: e.Name, Short: e.Short, DisableFlagParsing: true,
			Annotations: map[string]string{annotation: e.Program()},
			Long: e.Short + ".\n\nThis is the program " + e.Program() + ": hone " + e.Name +
				" --help says more.",
			RunE: func(*cobra.Command, []string) error { // in a process that must go on: hone mcp
				return fail.New(fail.BadInput, "hone %s is a program of its own, %s", e.Name, e.Program())
			}}
		all = append(all, cmd)
	}
	return all
}
