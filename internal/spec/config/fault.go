package config

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/gohone/hone/internal/text/fail"
)

// most is how many faults one error lists; a file with more is of another kind.
const most = 20

// faults collects what is wrong with a file.
type faults struct {
	shown string // the file's name in messages
	help  string // the hint where no fault has one; empty: that of hone.yaml
	list  []fault
}

type fault struct {
	at   Position
	what string
	hint string
}

func (f *faults) say(at Position, hint, format string, args ...any) {
	f.list = append(f.list, fault{at, fmt.Sprintf(format, args...), hint})
}

// err returns the faults in the order of the file, one per line, or nil. The hint is
// that of the first fault that has one.
func (f *faults) err() error {
	if len(f.list) == 0 {
		return nil
	}
	slices.SortStableFunc(f.list, func(a, b fault) int {
		return cmp.Or(cmp.Compare(a.at.Line, b.at.Line), cmp.Compare(a.at.Column, b.at.Column))
	})
	var lines []error
	hint := ""
	for i, one := range f.list {
		if hint == "" {
			hint = one.hint
		}
		if i == most {
			lines = append(lines, fmt.Errorf("%s: and %d more faults", f.shown, len(f.list)-most))
			break
		}
		lines = append(lines, fmt.Errorf("%s:%v: %s", f.shown, one.at, one.what))
	}
	if hint == "" {
		hint = f.help
	}
	if hint == "" {
		hint = "docs/hone-yaml.md describes the file; hone init --print shows an example"
	}
	return fail.New(fail.BadInput, "%w", errors.Join(lines...)).WithHint("%s", hint)
}

// At makes an error about a place in the file, of kind BadInput, for values that only
// the caller can judge.
func (f *File) At(at Position, hint, format string, args ...any) error {
	all := faults{shown: f.Shown}
	all.say(at, hint, format, args...)
	return all.err()
}

// meant is a question behind an unknown word, or nothing.
func meant(word string, known []string) string {
	if near := fail.Nearest(word, known); near != "" {
		return fmt.Sprintf(" (did you mean %q?)", near)
	}
	return ""
}
