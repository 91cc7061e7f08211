package subject

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"slices"

	"github.com/gohone/hone/internal/fail"
)

// The variables of the command that runs after the start.
const (
	afterAddress = "HONE_ADDRESS" // host:port under load
	afterPort    = "HONE_PORT"
	afterDir     = "HONE_DIR" // that stands for DirTemplate, if the program has it
	afterVariant = "HONE_VARIANT"
)

// AfterStart runs the variant's command for a program that is ready, to seed it or to log in;
// it does nothing without one. No shell is involved. address is the host:port under load.
// The command runs in dir, with the program's environment and the variables
// HONE_ADDRESS, HONE_PORT, HONE_DIR and HONE_VARIANT. PortTemplate in its words is the port
// under load, the other templates are what they are for the program.
//
// Errors: fail.Subject with the last 20 lines of output; fail.BadInput for a template that the
// program does not have. When ctx is done, all processes of the command's group are killed,
// and the error is ctx's.
func (p *Process) AfterStart(ctx context.Context, dir, address string) error {
	words := p.binary.Variant.AfterStart
	if len(words) == 0 {
		return nil
	}
	_, port, err := net.SplitHostPort(address)
	if err != nil {
		return fmt.Errorf("read address of %s: %w", p.name, err)
	}
	argv, err := p.fillAfterStart(words, port)
	if err != nil {
		return err
	}
	env := append(slices.Clone(p.env), afterAddress+"="+address, afterPort+"="+port, afterVariant+"="+p.binary.Variant.Name)
	if data := p.fill.values[DirTemplate]; data != "" {
		env = append(env, afterDir+"="+data)
	}
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	cmd.Dir, cmd.Env = dir, environment(os.Environ(), env, dir, "", newMark())
	output, err := withOutput(cmd, runBound)
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return fmt.Errorf("after the start of %s: %w", p.name, ctx.Err())
	case errors.Is(err, exec.ErrNotFound), errors.Is(err, os.ErrNotExist):
		return fail.New(fail.Subject, "after the start of %s: there is no command %q", p.name, argv[0]).
			WithHint("it is looked for in PATH, or with a / in it from %s; for a shell write sh -c '...'", dir)
	}
	return fail.New(fail.Subject, "after the start of %s: %s: %w\n%s", p.name, JoinCommand(words), err, endOf(output)).
		WithHint("the command runs when the program listens, with HONE_ADDRESS and HONE_PORT in its environment; " +
			"start the program by hand and try it")
}

// fillAfterStart fills in the templates of the command.
func (p *Process) fillAfterStart(words []string, port string) ([]string, error) {
	var unknown string
	argv := make([]string, len(words))
	for i, word := range words {
		argv[i] = FillTemplates(word, func(template string) string {
			value := p.fill.values[template]
			switch {
			case template == PortTemplate:
				return port
			case value == "":
				unknown = template
			}
			return value
		})
	}
	if unknown != "" {
		return nil, fail.New(fail.BadInput, "after the start of %s: the command has %s, but no argument or environment variable of the program does",
			p.name, unknown).WithHint("give it to the program: ... -- -data %s", unknown)
	}
	return argv, nil
}

// Fill replaces the templates in a text by what they are for this start. One that the program
// does not have stays.
func (p *Process) Fill(text string) string {
	return FillTemplates(text, func(template string) string {
		if value := p.fill.values[template]; value != "" {
			return value
		}
		return template
	})
}
