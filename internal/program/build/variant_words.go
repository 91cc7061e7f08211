package build

import (
	"strings"

	"github.com/gohone/hone/internal/program/source"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/shellwords"
)

// ParseVariant reads one variant from a single word of a command line: assignments
// for its environment, its source, its own arguments.
//
//	./services/framed/cmd/framed -stage raw
//	GOGC=200 HEAD~3:./cmd/server -greeting 'good day'
//	main.go routes.go -addr :8080
//
// Where the source is a Go file, the words after it that end in .go belong to it, as for go
// run.
// Words are split at white space. Quotes and backslash work as in a POSIX shell
// (IEEE 1003.1, 2.2); nothing else does: no shell is run, and $, *, ~, | and ; mean
// themselves. A source whose first path element holds = is written with ./ before it.
// Errors are fail.BadInput and name the column, counted in characters from 1.
func ParseVariant(name, word string) (Variant, error) {
	words, err := shellwords.Split(word)
	if err != nil {
		return Variant{}, fail.New(fail.BadInput, "variant %s: %w", name, err)
	}
	v := Variant{Name: name}
	for len(words) > 0 && isAssignment(words[0]) {
		v.Env, words = append(v.Env, words[0]), words[1:]
	}
	if len(words) == 0 || words[0] == "" {
		return Variant{}, fail.New(fail.BadInput, "variant %s: no package in %q", name, word).
			WithHint("name a directory (./cmd/server), Go files (main.go), an import path or a git ref and a directory " +
				"(HEAD~1:cmd/server)")
	}
	n := 1
	for source.IsGoFile(words[0]) && n < len(words) && source.IsGoFile(words[n]) {
		n++
	}
	v.Source = words[0]
	if source.IsGoFile(words[0]) {
		v.Source = shellwords.Join(words[:n])
	}
	if len(words) > n {
		v.Args = words[n:]
	}
	return v, nil
}

// isAssignment says whether a word is NAME=value with a name as shells allow it.
func isAssignment(word string) bool {
	name, _, found := strings.Cut(word, "=")
	for i, r := range name {
		letter := r == '_' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z'
		if !letter && (i == 0 || r < '0' || r > '9') {
			return false
		}
	}
	return found && name != ""
}
