package subject

import (
	"context"
	"os"
	"os/exec"
	"slices"
	"strings"

	"github.com/gohone/hone/internal/program/earlyend"
	"github.com/gohone/hone/internal/program/guard"
	"github.com/gohone/hone/internal/program/lifetime"
)

// ownHelp is what the program writes when it is started with --help, after the words that its arguments begin with,
// such as a command. It runs as at its start, but without hone's probe and guard, and is killed after HelpPatience.
func (p *running) ownHelp() string {
	ctx, cancel := context.WithTimeout(context.Background(), earlyend.HelpPatience)
	defer cancel()
	args := p.fill.All(p.binary.Variant.Args, p.opts.Args)
	if i := slices.IndexFunc(args, func(arg string) bool { return strings.HasPrefix(arg, "-") }); i >= 0 {
		args = args[:i]
	}
	command := exec.CommandContext(ctx, p.binary.Path, append(slices.Clone(args), "--help")...)
	command.Dir, command.Env = p.opts.Dir, guard.Environment(os.Environ(), p.env, p.opts.Dir, "", lifetime.NewMark())
	output, _ := lifetime.WithOutput(command, lifetime.RunBound) // a usage has many exit codes
	return output
}
