package read

import (
	"slices"
	"strings"

	"github.com/gohone/hone/internal/program/needs"
	"github.com/gohone/hone/internal/program/subject"
	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/shellwords"
)

// Needs reads the words on programs that are started before the subject; nil if there are none. They run in dir.
func Needs(f spec.NeedWords, dir string) ([]needs.Need, error) {
	var all []needs.Need
	for _, word := range f.Commands {
		name, line, found := strings.Cut(word, "=")
		if !found {
			return nil, fail.New(fail.BadInput, "--need %q names no need",
				word).WithHint("write --need db='postgres -D {dir} -p {port}'")
		}
		words, err := shellwords.Split(line)
		if err != nil {
			return nil, fail.New(fail.BadInput, "--need %s: %w", name, err)
		}
		all = append(all, needs.Need{Name: name, Command: words, Dir: dir})
	}
	of := func(flag, name string) (*needs.Need, error) {
		i := slices.IndexFunc(all, func(n needs.Need) bool { return n.Name == name })
		if i < 0 {
			return nil, fail.New(fail.BadInput, "%s: no --need is called %q", flag,
				name).WithHint("the name stands before the first =: --need db='...' --set %s=db", flag)
		}
		return &all[i], nil
	}
	for _, word := range f.Ready {
		name, ready, _ := strings.Cut(word, "=")
		n, err := of("need.ready", name)
		if err != nil {
			return nil, err
		}
		if ready == "" {
			return nil, fail.New(fail.BadInput, "need.ready %s says nothing",
				name).WithHint("write %s=, and after it %s", name, subject.ReadyForms)
		}
		n.Ready = ready
	}
	for _, name := range f.Each {
		n, err := of("need.each", name)
		if err != nil {
			return nil, err
		}
		n.Each = true
	}
	return all, needs.Check(all)
}
