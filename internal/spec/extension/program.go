package extension

import (
	"context"
	"errors"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gohone/hone/internal/spec/cli"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/printable"
)

// Terminal is what the commands of an extension share.
type Terminal struct {
	Stdout, Stderr io.Writer       // take any text: what would steer a terminal is written visibly
	Raw            io.Writer       // standard output without a filter, for what is not text
	Hard           context.Context // ends with the second Ctrl-C; the context of a command ends with the first
}

// Print writes a document as JSON, or text by a function.
func (t *Terminal) Print(asJSON bool, document any, text func(io.Writer) error) error {
	if asJSON {
		return cli.JSON(t.Stdout, document)
	}
	return text(t.Stdout)
}

// Main runs an extension with a command line, and returns its exit code. commands makes its root, named after the
// program.
func Main(commands func(*Terminal) *cobra.Command, args []string, stdout, stderr io.Writer) int {
	out, messages := printable.NewWriter(stdout), printable.NewWriter(stderr)
	defer func() { _ = errors.Join(out.Close(), messages.Close()) }() // nothing is left that could report it
	soft, hard, stop := cli.Signals()
	defer stop()
	root := commands(&Terminal{Stdout: out, Stderr: messages, Raw: stdout, Hard: hard})
	err := agree(root.Name(), os.Getenv(coreVariable), cli.ThisBuild())
	if err == nil {
		err = execute(soft, root, args, out, messages)
	}
	if err != nil {
		cli.Explain(messages, root.Name(), err)
	}
	return fail.ExitCode(err)
}

func execute(ctx context.Context, root *cobra.Command, args []string, stdout, stderr io.Writer) error {
	ran := false
	cli.NoteRuns(root, &ran)
	if name, found := strings.CutPrefix(root.Name(), "hone-"); found { // as users type it
		root.Annotations = map[string]string{cobra.CommandDisplayNameAnnotation: "hone " + name}
	}
	root.SilenceUsage, root.SilenceErrors = true, true
	root.Version = cli.ThisBuild().Line(root.Name())
	root.SetVersionTemplate("{{.Version}}\n")
	root.SetOut(stdout)
	root.SetErr(stderr)
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return fail.New(fail.BadInput, "%w", err).WithHint("%s --help lists the flags", cmd.CommandPath())
	})
	root.SetArgs(args)
	return cli.OfCommandLine(root.ExecuteContext(ctx), ran, root.Name())
}
