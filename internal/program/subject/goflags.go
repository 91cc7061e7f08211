package subject

import (
	"fmt"
	"strings"
)

// splitGoFlags splits a text as go does with GOFLAGS and the value of -ldflags: at white
// space, with quotes around a whole flag only and no escapes (go help environment,
// GOFLAGS; go help build, -ldflags).
func splitGoFlags(text string) ([]string, error) {
	var flags []string
	for {
		text = strings.TrimLeft(text, goSpace)
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
		end := strings.IndexAny(text, goSpace)
		if end < 0 {
			end = len(text)
		}
		flags, text = append(flags, text[:end]), text[end:]
	}
}

const goSpace = " \t\n\r" // what go takes for white space

// valueFlags are the flags of go build that take the next word for their value, if they
// have none behind =.
var valueFlags = map[string]bool{
	"asmflags": true, "buildmode": true, "C": true, "compiler": true, "covermode": true, "coverpkg": true,
	"gccgoflags": true, "gcflags": true, "installsuffix": true, "ldflags": true, "mod": true, "modfile": true,
	"o": true, "overlay": true, "p": true, "pgo": true, "pkgdir": true, "tags": true, "toolexec": true,
}

// A goFlag is one flag for go build.
type goFlag struct {
	name  string   // without dashes; empty for a word that is not a flag
	value string   // behind = or in the next word
	words []string // as it was written
}

// readGoFlags groups words as go build reads them: a flag with the word that is its
// value, and words that are not flags by themselves.
func readGoFlags(words []string) []goFlag {
	var flags []goFlag
	for i := 0; i < len(words); i++ {
		f := goFlag{words: words[i : i+1]}
		if bare, ok := strings.CutPrefix(words[i], "-"); ok {
			var found bool
			f.name, f.value, found = strings.Cut(strings.TrimPrefix(bare, "-"), "=")
			if !found && valueFlags[f.name] && i+1 < len(words) {
				i++
				f.value, f.words = words[i], words[i-1:i+1]
			}
		}
		flags = append(flags, f)
	}
	return flags
}
