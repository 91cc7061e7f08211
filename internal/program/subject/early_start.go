package subject

import (
	"context"
	"os"
	"os/exec"
	"slices"
	"strings"
)

// ownHelp is what the program writes when it is started with --help, after the words that its arguments begin with, such
// as a command. It runs as at its start, but without hone's probe and guard, and is killed after helpPatience.
func (p *Process) ownHelp() string {
	ctx, cancel := context.WithTimeout(context.Background(), helpPatience)
	defer cancel()
	args := p.fill.all(p.binary.Variant.Args, p.opts.Args)
	if i := slices.IndexFunc(args, func(arg string) bool { return strings.HasPrefix(arg, "-") }); i >= 0 {
		args = args[:i]
	}
	command := exec.CommandContext(ctx, p.binary.Path, append(slices.Clone(args), "--help")...)
	command.Dir, command.Env = p.opts.Dir, environment(os.Environ(), p.env, p.opts.Dir, "", newMark())
	output, _ := withOutput(command, runBound) // a usage has many exit codes
	return output
}
