package bucket

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"strings"
	"time"

	"github.com/gohone/hone/internal/spec/cli"
	"github.com/gohone/hone/internal/spec/extension"
	"github.com/gohone/hone/internal/text/fail"
)

// Child is a place that a child process serves. It is of one goroutine.
type Child struct {
	ctx      context.Context
	cmd      *exec.Cmd
	requests io.WriteCloser
	answers  *json.Decoder
	said     bytes.Buffer // on its standard error
	stop     func() bool
}

var _ Place = (*Child)(nil)

// Start starts hone-share for a place, s3://BUCKET/PREFIX. The caller closes it. It ends with the context.
func Start(ctx context.Context, place string) (*Child, error) {
	cmd, err := extension.Share.Command(cli.ThisBuild(), Command, place)
	if err != nil {
		return nil, err
	}
	c := &Child{ctx: ctx, cmd: cmd}
	cmd.Stderr, cmd.WaitDelay = &c.said, waitDelay
	if c.requests, err = cmd.StdinPipe(); err != nil {
		return nil, err
	}
	answers, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	c.answers = json.NewDecoder(answers)
	if err := cmd.Start(); err != nil {
		return nil, fail.New(fail.Environment, "run %s: %w", cmd.Path, err)
	}
	c.stop = context.AfterFunc(ctx, func() { _ = cmd.Process.Kill() }) // it may have ended by itself
	return c, nil
}

// waitDelay is how long a child that has ended may keep its output.
const waitDelay = 5 * time.Second

// Close ends the child.
func (c *Child) Close() error {
	_ = c.requests.Close() // it may have ended by itself
	_ = c.cmd.Wait()       // its answers have said what went wrong
	c.stop()
	return nil
}

// List lists the place.
func (c *Child) List(context.Context) (all []Object, err error) {
	return all, c.ask(request{List: true}, func(o Object) error {
		all = append(all, o)
		return nil
	})
}

// Get gets objects.
func (c *Child) Get(_ context.Context, names []string, most int64, take func(Object) error) error {
	if len(names) == 0 {
		return nil
	}
	return c.ask(request{Get: names, Most: most}, take)
}

// Put puts an object.
func (c *Child) Put(_ context.Context, o Object) error { return c.ask(request{Put: &o}, nil) }

// ask sends a request, and takes the objects of the answer.
func (c *Child) ask(r request, take func(Object) error) error {
	if err := json.NewEncoder(c.requests).Encode(r); err != nil {
		return c.ended(err)
	}
	for {
		var a answer
		switch err := c.answers.Decode(&a); {
		case err != nil:
			return c.ended(err)
		case a.Error != nil:
			return fail.New(fail.Kind(a.Error.Kind), "%s", a.Error.Text).WithHint("%s", a.Error.Hint)
		case a.Done:
			return nil
		case a.Object == nil || take == nil:
			return c.ended(errors.New("it gives an answer that hone does not know"))
		}
		if err := take(*a.Object); err != nil {
			return err
		}
	}
}

// ended says why there is no answer: the child refused its words or its environment, or was killed.
func (c *Child) ended(err error) error {
	if c.ctx.Err() != nil {
		return c.ctx.Err()
	}
	_ = c.requests.Close()
	wait := c.cmd.Wait()
	var exit *exec.ExitError
	if !errors.As(wait, &exit) || exit.ExitCode() < 0 || c.said.Len() == 0 {
		return fail.New(fail.Environment, "%s ended: %w", extension.Share.Program(), errors.Join(err, wait)).
			WithHint("repeat the command: what is done stays done")
	}
	text, hint, _ := strings.Cut(strings.TrimSpace(c.said.String()), "\nhint: ")
	_, text, _ = strings.Cut(text, ": ") // hone-share: TEXT
	return fail.New(fail.Kind(exit.ExitCode()), "%s", text).WithHint("%s", hint)
}
