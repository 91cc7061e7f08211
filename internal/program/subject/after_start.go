package subject

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"slices"
	"time"

	"github.com/gohone/hone/internal/program/guard"
	"github.com/gohone/hone/internal/program/lifetime"
	"github.com/gohone/hone/internal/program/output"
	"github.com/gohone/hone/internal/program/templates"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/shellwords"
)

// The variables of the command that runs after the start.
const (
	afterAddress = "HONE_ADDRESS" // host:port under load
	afterPort    = "HONE_PORT"
	afterSocket  = "HONE_SOCKET" // the path of the Unix socket under load
	afterDir     = "HONE_DIR"    // that stands for {dir}, if the program has it
	afterVariant = "HONE_VARIANT"
)

// DefaultAfterStartLimit is how long the command after a start may take if nothing else is said.
const DefaultAfterStartLimit = time.Minute

// errTooLong is the cause when the command after a start has used its time up.
var errTooLong = errors.New("it took too long")

// mostAnswered is the most of the standard output of the command after a start that is kept, in bytes.
const mostAnswered = 1 << 20

// AfterStart runs the variant's command for a program that is ready, to seed it or to log in, and returns what it wrote
// to its standard output, whose middle is missing beyond 1 MB; it does nothing without a command. No shell is involved.
// The command runs in dir, with the program's environment and the variables HONE_ADDRESS, HONE_PORT, HONE_SOCKET,
// HONE_DIR and HONE_VARIANT. {port} and {socket} in its words are what is under load, the other templates are what they
// are for the program. limit is how long it may take; 0 is DefaultAfterStartLimit.
//
// Errors: fail.Subject with the last 20 lines of what it wrote to standard error (standard output may hold secrets),
// and then or after limit all processes of the command's group are killed; fail.BadInput for a template that the
// program does not have. When ctx is done, they are killed, too, and the error is ctx's.
func (p *Process) AfterStart(ctx context.Context, dir string, limit time.Duration) (stdout []byte, err error) {
	words := p.binary.Variant.AfterStart
	if len(words) == 0 {
		return nil, nil
	}
	port, socket := "", p.Address()
	if !p.at.unix {
		if _, port, err = net.SplitHostPort(p.Address()); err != nil {
			return nil, fmt.Errorf("read address of %s: %w", p.name, err)
		}
		socket = ""
	}
	argv, err := p.fillAfterStart(words, port, socket)
	if err != nil {
		return nil, err
	}
	env := append(slices.Clone(p.env), afterAddress+"="+p.Address(), afterPort+"="+port, afterSocket+"="+socket,
		afterVariant+"="+p.binary.Variant.Name)
	if data := p.fill.Values[templates.Dir]; data != "" {
		env = append(env, afterDir+"="+data)
	}
	limit = cmp.Or(limit, DefaultAfterStartLimit)
	bounded, cancel := context.WithTimeoutCause(ctx, limit, errTooLong)
	defer cancel()
	command := exec.CommandContext(bounded, argv[0], argv[1:]...)
	command.Dir, command.Env = dir, guard.Environment(os.Environ(), env, dir, "", lifetime.NewMark())
	out, faults := output.NewRing(mostAnswered), output.NewRing(256<<10)
	command.Stdout, command.Stderr = &out, &faults
	err = lifetime.RunBound(command)
	switch {
	case err == nil:
		return []byte(out.Stream().String()), nil
	case ctx.Err() != nil:
		return nil, fmt.Errorf("after the start of %s: %w", p.name, ctx.Err())
	case context.Cause(bounded) == errTooLong:
		return nil, fail.New(fail.Subject, "after the start of %s: %s did not end within %v, and was killed\n%s",
			p.name, shellwords.Join(words), limit, wroteOf(faults.Stream())).
			WithHint("allow it more time: --set after-start.timeout=%v; a command that stays up is a need, not one that "+
				"comes after the start", 5*limit)
	case errors.Is(err, exec.ErrNotFound), errors.Is(err, os.ErrNotExist):
		return nil, fail.New(fail.Subject, "after the start of %s: there is no command %q", p.name, argv[0]).
			WithHint("it is looked for in PATH, or with a / in it from %s; for a shell write sh -c '...'", dir)
	}
	return nil, fail.New(fail.Subject, "after the start of %s: %s: %w\n%s", p.name, shellwords.Join(words), err,
		wroteOf(faults.Stream())).
		WithHint("the command runs when the program listens, with HONE_ADDRESS and HONE_PORT in its environment; " +
			"start the program by hand and try it")
}

// wroteOf is the end of what the command wrote to standard error, for its own lines of a message.
func wroteOf(stderr output.Stream) string {
	if stderr.Written == 0 {
		return "it wrote nothing to standard error (its standard output is not shown, since it may hold secrets)"
	}
	return output.LastLines(stderr.String())
}

// fillAfterStart fills in the templates of the command.
func (p *Process) fillAfterStart(words []string, port, socket string) ([]string, error) {
	var unknown string
	argv := make([]string, len(words))
	for i, word := range words {
		argv[i] = templates.Fill(word, func(template string) string {
			value := cmp.Or(p.fill.Values[template], p.fill.Names[template])
			switch {
			case template == templates.Port && port != "":
				return port
			case template == templates.Socket && socket != "":
				return socket
			case value == "":
				unknown = template
			}
			return value
		})
	}
	if unknown != "" {
		return nil, fail.New(fail.BadInput,
			"after the start of %s: the command has %s, but no argument or environment variable of the program does",
			p.name, unknown).WithHint("give it to the program: ... -- -data %s", unknown)
	}
	return argv, nil
}

// Fill replaces the templates in a text by what they are for this start. One that the program
// does not have stays.
func (p *Process) Fill(text string) string {
	return templates.Fill(text, func(template string) string {
		return cmp.Or(p.fill.Values[template], p.fill.Names[template], template)
	})
}
