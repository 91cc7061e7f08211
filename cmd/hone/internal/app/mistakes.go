package app

import (
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/text/fail"
)

// FlagError says of flags that a command does not accept what its user may have meant.
func (a *App) FlagError(cmd *cobra.Command, err error) error {
	fault := fail.New(fail.BadInput, "%w", err)
	unknown, invalid := (*pflag.NotExistError)(nil), (*pflag.InvalidValueError)(nil)
	hint := ""
	switch {
	case errors.As(err, &unknown):
		hint = a.unknownFlag(cmd, unknown)
	case errors.As(err, &invalid) && invalid.GetFlag().Value.Type() == "duration":
		fault = fail.New(fail.BadInput, "--%s %q is not a duration: it needs a number with a unit",
			invalid.GetFlag().Name, invalid.GetValue())
		hint = "for example --" + invalid.GetFlag().Name + " " + withUnit(invalid.GetValue())
	}
	if hint == "" {
		hint = cmd.CommandPath() + " --help lists the flags"
		if strings.HasPrefix(cmd.CommandPath(), "hone profile") {
			hint += "; hone profile pprof RUN -- ARGS takes those of go tool pprof"
		}
	}
	return fault.WithHint("%s", hint)
}

// withUnit is the duration that a bare number may mean, in seconds, or an example.
func withUnit(value string) string {
	if d, err := time.ParseDuration(value + "s"); err == nil && d > 0 {
		return value + "s"
	}
	return "10s"
}

// unknownFlag is the hint for a flag that a command does not have: a key, an option of another command or tool, one
// that is written alike, or a flag of the measured program, which stands after --.
func (a *App) unknownFlag(cmd *cobra.Command, unknown *pflag.NotExistError) string {
	name := unknown.GetSpecifiedName()
	if hint := spec.Elsewhere(cmd.Flags(), name); hint != "" {
		return hint
	}
	var names []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			names = append(names, f.Name)
		}
	})
	if near := fail.Nearest(name, names); near != "" && len(name) > 1 {
		return "did you mean --" + near + "? " + cmd.CommandPath() + " --help-all lists the flags"
	}
	at := slices.IndexFunc(a.Words, func(word string) bool {
		return word != "--" && strings.HasPrefix(word, "-") &&
			strings.HasPrefix(strings.TrimLeft(word, "-"), lettersOf(unknown))
	})
	if at < 1 || slices.Contains(a.Words, "--") || !strings.Contains(cmd.Use, "[-- ARGS...]") {
		return ""
	}
	line := spec.Join(slices.Concat([]string{"hone"}, a.Words[:at], []string{"--"}, a.Words[at:]))
	return "flags of your program stand after --: " + line + "; " + cmd.CommandPath() + " --help lists those of hone"
}

// lettersOf is how the word of an unknown flag begins: its letters, if it is one of several in a word.
func lettersOf(unknown *pflag.NotExistError) string {
	if short := unknown.GetSpecifiedShortnames(); short != "" {
		return short
	}
	return unknown.GetSpecifiedName()
}

// OfCommands says of a word that is not a command which ones are near; all other errors it leaves as they are.
func (a *App) OfCommands(root *cobra.Command, err error) error {
	var known *fail.Error
	if err == nil || a.Ran || errors.As(err, &known) {
		return err
	}
	if found, _, none := root.Find(a.Words); none != nil && found == root {
		for _, word := range a.Words {
			if !strings.HasPrefix(word, "-") {
				return UnknownCommand(root, word)
			}
		}
	}
	return err
}

// mostNear is how many commands an error suggests.
const mostNear = 3

// UnknownCommand is the error for a word that is not a command, with the nearest ones.
func UnknownCommand(root *cobra.Command, word string) error {
	err := fail.New(fail.BadInput, "%q is not a command of hone", word)
	if near := NearestCommands(root, word); len(near) > 0 {
		return err.WithHint("did you mean %s? hone --help lists the commands", strings.Join(near, ", or "))
	}
	return err.WithHint("hone --help lists the commands")
}

// NearestCommands are the commands that a word may mean, by their letters, those below others too: flame is hone
// profile flame.
func NearestCommands(root *cobra.Command, word string) (near []string) {
	var all []*cobra.Command
	var collect func(cmd *cobra.Command)
	collect = func(cmd *cobra.Command) {
		for _, sub := range cmd.Commands() {
			if !sub.Hidden && (sub.IsAvailableCommand() || sub.IsAdditionalHelpTopicCommand()) {
				all = append(all, sub)
				collect(sub)
			}
		}
	}
	collect(root)
	low := strings.ToLower(word)
	add := func(fits func(cmd *cobra.Command) bool) {
		for _, cmd := range all {
			path := cmd.CommandPath()
			if !cmd.IsAvailableCommand() {
				path = "hone help " + cmd.Name()
			}
			if len(near) < mostNear && fits(cmd) && !slices.Contains(near, path) {
				near = append(near, path)
			}
		}
	}
	own := func(cmd *cobra.Command) bool { return cmd.Parent() == root }
	add(func(cmd *cobra.Command) bool { return cmd.Name() == low })
	add(func(cmd *cobra.Command) bool { return own(cmd) && fail.Nearest(low, []string{cmd.Name()}) != "" })
	if len(low) > 1 {
		add(func(cmd *cobra.Command) bool { return own(cmd) && strings.HasPrefix(cmd.Name(), low) })
	}
	if len(near) == 0 {
		add(func(cmd *cobra.Command) bool { return fail.Nearest(low, []string{cmd.Name()}) != "" })
	}
	return near
}
