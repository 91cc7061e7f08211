package app

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/text/fail"
)

// SplitAtDash separates the variants from the arguments after --.
func SplitAtDash(cmd *cobra.Command, args []string) (words, rest []string) {
	if n := cmd.ArgsLenAtDash(); n >= 0 {
		return args[:n], args[n:]
	}
	return args, nil
}

// wantVariants holds a command line to the number of packages that it may name.
func wantVariants(cmd *cobra.Command, words []string, least, most int) error {
	if least <= len(words) && len(words) <= most {
		return nil
	}
	want := fmt.Sprint(least)
	if most > least {
		want += " or more"
	}
	err := fail.New(fail.BadInput, "%s takes %s package(s), got %d: %q", cmd.CommandPath(), want, len(words), words)
	if most == 1 && len(words) > 1 && IsSource(words[0]) && !slices.ContainsFunc(words[1:], IsSource) {
		line := slices.Concat(strings.Fields(cmd.CommandPath()), words[:1], []string{"--"}, words[1:])
		return err.WithHint("arguments of the program stand after --: %s", spec.Join(line))
	}
	if most == 1 && len(words) > 1 {
		line := append([]string{"hone", "compare"}, words...)
		return err.WithHint("%s compares them; quote a package together with its own arguments", spec.Join(line))
	}
	if most > 1 && len(words) == 1 && !IsSource(words[0]) && !strings.HasPrefix(words[0], ".") { // a ref
		return err.WithHint("name both sides: hone compare %s:./cmd/server ./cmd/server; the number of a pull request "+
			"is quoted, since a shell leaves out what follows #: hone compare %[1]s '#123'", words[0])
	}
	return err.WithHint("quote a package together with its own arguments, and put arguments for all after --: %s",
		cmd.UseLine())
}
