package spec

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/pflag"
)

// KeysTitle stands before the options without a flag.
const KeysTitle = "Keys, for --set KEY=VALUE and KEY: VALUE in a plan of hone.yaml"

// Help lists the options of a command in groups: those of the first screen, or all of them with the keys. cmd are the
// flags of the command, of which some are not in the table.
func (s *Set) Help(cmd *pflag.FlagSet, all bool) string {
	b := &strings.Builder{}
	var flags, keys []section
	own := section{title: "This command"}
	cmd.VisitAll(func(f *pflag.Flag) {
		if _, inTable := s.Row(f.Name); !inTable && !f.Hidden && !isHelp(f.Name) {
			own.lines = append(own.lines, lineOf(f, true, true)) // nothing else explains them
		}
	})
	flags = append(flags, own)
	for _, g := range groups {
		withFlag, without := section{title: string(g)}, section{title: string(g)}
		for _, r := range s.rows {
			switch f := s.all.Lookup(r.Name); {
			case r.Group != g:
			case !r.IsFlag(s.of):
				without.lines = append(without.lines, lineOf(f, false, true))
			case all || r.Has(First):
				withFlag.lines = append(withFlag.lines, lineOf(f, true, all))
			}
		}
		flags, keys = append(flags, withFlag), append(keys, without)
	}
	more := section{title: "More"}
	if set := cmd.Lookup("set"); !set.Hidden {
		more.lines = append(more.lines, lineOf(set, true, all))
	}
	if !all {
		more.lines = append(more.lines, line{"      --help-all", "all flags and keys"})
	}
	write(b, append(flags, more))
	if all && len(s.Keys()) > 0 {
		b.WriteString("\n" + KeysTitle + ":\n\n")
		write(b, keys)
	}
	return b.String()
}

func isHelp(name string) bool { return slices.Contains([]string{"help", "help-all", "set"}, name) }

// section is a part of the help with a title.
type section struct {
	title string
	lines []line
}

// line is one option: how it is written, and what it is for.
type line struct{ left, right string }

// lineOf is the line of a flag, or of a key; of what it is for all, or the first line.
func lineOf(f *pflag.Flag, isFlag, all bool) line {
	name, usage := pflag.UnquoteUsage(f)
	usage, rest, more := strings.Cut(usage, "\n")
	left := "      --" + f.Name
	switch {
	case !isFlag:
		left = "  " + f.Name
	case f.Shorthand != "":
		left = "  -" + f.Shorthand + ", --" + f.Name
	}
	if name != "" {
		left += " " + strings.TrimSuffix(name, "Array")
	}
	if more && all {
		usage += "\n" + rest
	}
	if !slices.Contains(NoDefault, f.DefValue) {
		usage += " (default " + f.DefValue + ")"
	}
	return line{left, usage}
}

// NoDefault are texts of values that no help names as a default.
var NoDefault = []string{"", "0", "0s", "false", "[]"}

// write writes sections in columns.
func write(b *strings.Builder, sections []section) {
	width := 0
	for _, s := range sections {
		for _, l := range s.lines {
			width = max(width, len(l.left))
		}
	}
	for _, s := range sections {
		if len(s.lines) == 0 {
			continue
		}
		fmt.Fprintf(b, "%s:\n", s.title)
		for _, l := range s.lines {
			right := strings.ReplaceAll(l.right, "\n", "\n"+strings.Repeat(" ", width+2))
			fmt.Fprintf(b, "%-*s  %s\n", width, l.left, right)
		}
	}
}
