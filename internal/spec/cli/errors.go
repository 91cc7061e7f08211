package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/printable"
	"github.com/gohone/hone/internal/text/redact"
)

// Explain prints an error of a program and, on a line of its own, what to do about it. An error of Shown says nothing
// more.
func Explain(stderr io.Writer, program string, err error) {
	var said *shown
	if errors.As(err, &said) {
		return
	}
	hide := redact.Text
	if fail.ExitCode(err) == int(fail.Untrusted) {
		// What a file asks hone to execute is shown as it is: the user judges by it.
		hide = func(text string) string { return text }
	}
	text := err.Error()
	if text == context.Canceled.Error() { // of a step that has nothing of its own to say
		text = "interrupted"
	}
	fmt.Fprintln(stderr, program+":", printable.Indented(hide(text)))
	if hint := fail.HintOf(err); hint != "" {
		fmt.Fprintln(stderr, "hint:", printable.Indented(hide(hint)))
	}
}

// Shown is err for a command that has reported it already, in a form of its own.
func Shown(err error) error { return &shown{err} }

type shown struct{ error }

func (e *shown) Unwrap() error { return e.error }

// OfCommandLine gives a kind to what cobra says of a command line that it does not accept: an unknown command, too many
// arguments, flags that exclude each other. ran says that a command of the program has begun.
func OfCommandLine(err error, ran bool, program string) error {
	var known *fail.Error
	if err == nil || ran || errors.As(err, &known) {
		return err
	}
	return fail.New(fail.BadInput, "%w",
		err).WithHint("%s --help lists the commands, and --help after a command its arguments", program)
}

// NoteRuns makes cmd and all commands below it set ran when they begin: their command line was accepted, with all flags
// that are required. Where the number of arguments is wrong, the error says how the command is used.
func NoteRuns(cmd *cobra.Command, ran *bool) {
	if run := cmd.RunE; run != nil {
		cmd.RunE = func(cmd *cobra.Command, args []string) error {
			*ran = true
			return run(cmd, args)
		}
	}
	if check := cmd.Args; check != nil {
		cmd.Args = func(cmd *cobra.Command, args []string) error { return ofArgs(cmd, args, check(cmd, args)) }
	}
	for _, sub := range cmd.Commands() {
		NoteRuns(sub, ran)
	}
}

// ofArgs says of too many or too few arguments how the command is used.
func ofArgs(cmd *cobra.Command, args []string, err error) error {
	var known *fail.Error
	if err == nil || errors.As(err, &known) {
		return err
	}
	text := fmt.Sprintf("%s: %v", cmd.CommandPath(), err)
	if strings.Contains(text, "arg(s)") { // cobra's words for a wrong number
		text = fmt.Sprintf("%s: wrong number of arguments: %d", cmd.CommandPath(), len(args))
	}
	if len(args) > 0 && strings.Contains(text, "unknown command") && !cmd.HasAvailableSubCommands() { // of cobra.NoArgs
		text = fmt.Sprintf("%s takes no arguments, got %q", cmd.CommandPath(), args)
	}
	return fail.New(fail.BadInput, "%s", text).WithHint("use it like this: %s", cmd.UseLine())
}
