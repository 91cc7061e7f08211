package main

import (
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/gohone/hone/internal/spec"
)

// commandLine is what the user gave: the words of cmd, and each option in one word under its long name.
func commandLine(cmd *cobra.Command, words []string) spec.Line {
	_, verb, _ := strings.Cut(cmd.CommandPath(), " ")
	line, skip := spec.Line{verb}, strings.Count(verb, " ")+1
	set := spec.Of(cmd.Flags())
	add := func(f *pflag.Flag, name, value string, given bool) {
		if name == "set" && set != nil {
			line = append(line, set.Word(value))
			return
		}
		if given && !(f != nil && f.NoOptDefVal == "true" && value == "true") {
			name += "=" + value
		}
		line = append(line, "--"+name)
	}
	for i := 0; i < len(words); i++ {
		word := words[i]
		switch {
		case word == "--":
			return append(line, words[i:]...)
		case strings.HasPrefix(word, "--"):
			name, value, given := strings.Cut(word[2:], "=")
			f := cmd.Flag(name)
			if !given && f != nil && f.NoOptDefVal == "" && i+1 < len(words) {
				i++
				value, given = words[i], true
			}
			add(f, name, value, given)
		case len(word) > 1 && word[0] == '-':
			i += shortFlags(cmd, word[1:], words[i+1:], add)
		case skip > 0:
			skip--
		default:
			line = append(line, word)
		}
	}
	return line
}

// shortFlags adds the flags of a word of letters, and says whether the last takes the next word.
func shortFlags(cmd *cobra.Command, letters string, next []string, add func(f *pflag.Flag, name, value string, given bool)) int {
	for len(letters) > 0 {
		f := cmd.Flags().ShorthandLookup(letters[:1])
		switch rest := letters[1:]; {
		case f == nil:
			return 0
		case f.NoOptDefVal != "":
			add(f, f.Name, "", false)
			letters = rest
		case rest != "":
			add(f, f.Name, strings.TrimPrefix(rest, "="), true)
			return 0
		case len(next) > 0:
			add(f, f.Name, next[0], true)
			return 1
		default:
			return 0
		}
	}
	return 0
}
