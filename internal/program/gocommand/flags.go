package gocommand

import (
	"fmt"
	"strings"
)

// SplitFlags splits a text as go does with GOFLAGS and the value of -ldflags: at white
// space, with quotes around a whole flag only and no escapes (go help environment,
// GOFLAGS; go help build, -ldflags).
func SplitFlags(text string) ([]string, error) {
	var flags []string
	for {
		text = strings.TrimLeft(text, Space)
		if text == "" {
			return flags, nil
		}
		if quote := text[:1]; quote == `"` || quote == "'" {
			inside, rest, closed := strings.Cut(text[1:], quote)
			if !closed {
				return nil, fmt.Errorf("a quote that is never closed: %s", text)
			}
			flags, text = append(flags, inside), rest
			continue
		}
		end := strings.IndexAny(text, Space)
		if end < 0 {
			end = len(text)
		}
		flags, text = append(flags, text[:end]), text[end:]
	}
}

const Space = " \t\n\r" // what go takes for white space

// ValueFlags are the flags of go build that take the next word for their value, if they
// have none behind =.
var ValueFlags = map[string]bool{
	"asmflags": true, "buildmode": true, "C": true, "compiler": true, "covermode": true, "coverpkg": true,
	"gccgoflags": true, "gcflags": true, "installsuffix": true, "ldflags": true, "mod": true, "modfile": true,
	"o": true, "overlay": true, "p": true, "pgo": true, "pkgdir": true, "tags": true, "toolexec": true,
}

// A Flag is one flag for go build.
type Flag struct {
	Name  string   // without dashes; empty for a word that is not a flag
	Value string   // behind = or in the next word
	Words []string // as it was written
}

// ReadFlags groups words as go build reads them: a flag with the word that is its
// value, and words that are not flags by themselves.
func ReadFlags(words []string) []Flag {
	var flags []Flag
	for i := 0; i < len(words); i++ {
		f := Flag{Words: words[i : i+1]}
		if bare, ok := strings.CutPrefix(words[i], "-"); ok {
			var found bool
			f.Name, f.Value, found = strings.Cut(strings.TrimPrefix(bare, "-"), "=")
			if !found && ValueFlags[f.Name] && i+1 < len(words) {
				i++
				f.Value, f.Words = words[i], words[i-1:i+1]
			}
		}
		flags = append(flags, f)
	}
	return flags
}
