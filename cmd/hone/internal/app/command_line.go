package app

import (
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/gohone/hone/internal/spec"
)

// CommandLine is what the user gave: the words of cmd, and each option in one word under its long name. cmd has
// accepted words.
func CommandLine(cmd *cobra.Command, words []string) spec.Line {
	_, verb, _ := strings.Cut(cmd.CommandPath(), " ")
	line, taken := spec.Line{verb}, strings.Count(verb, " ")+1
	again := pflag.NewFlagSet("", pflag.ContinueOnError) // its own, for the arguments of cmd's have been read
	again.AddFlagSet(cmd.Flags())
	_ = again.ParseAll(words, func(f *pflag.Flag, value string) error {
		if n := again.NArg(); n > taken {
			line, taken = append(line, again.Args()[taken:]...), n
		}
		switch {
		case f.Name == "set":
			line = append(line, spec.Of(cmd.Flags()).Word(value))
		case f.NoOptDefVal == "true" && value == "true":
			line = append(line, "--"+f.Name)
		default:
			line = append(line, "--"+f.Name+"="+value)
		}
		return nil
	})
	rest := again.Args()[min(taken, again.NArg()):]
	if dash := again.ArgsLenAtDash(); dash >= 0 {
		dash -= taken
		return append(append(append(line, rest[:dash]...), "--"), rest[dash:]...)
	}
	return append(line, rest...)
}
