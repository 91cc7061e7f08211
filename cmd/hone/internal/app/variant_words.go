package app

import (
	"slices"

	"github.com/gohone/hone/internal/program/build"
	"github.com/gohone/hone/internal/program/source"
	"github.com/gohone/hone/internal/text/shellwords"
)

// Expand makes variants of the words of a command line that stand for more, or less, than
// one each. Several Go files where one variant is wanted are one package, as for go run. One
// package where several are wanted is compared with what it was at HEAD, and a released version with the latest one.
func (a *App) Expand(words []string, most int) ([]string, error) {
	words, err := a.Releases(words)
	if err != nil {
		return nil, err
	}
	switch {
	case most == 1 && len(words) > 1 && !slices.ContainsFunc(words, func(w string) bool { return !source.IsGoFile(w) }):
		return []string{shellwords.Join(words)}, nil
	case most > 1 && len(words) == 1 && !mayBeName(words[0]):
		return a.againstHead(words[0])
	}
	return words, nil
}

// againstHead puts the package of a word as it is at HEAD before it, with the same environment
// and arguments. A word that is not a directory and no Go file stays alone.
func (a *App) againstHead(word string) ([]string, error) {
	v, err := build.ParseVariant("B", word)
	if err != nil {
		return nil, err
	}
	if source.IsRelease(v.Source) && !IsSource(v.Source) {
		return a.againstLatest(word, v)
	}
	dir, err := WorkDir()
	if err != nil {
		return nil, err
	}
	head, err := source.AtHead(a.Ctx, v.Source, source.Options{WorkDir: dir})
	if err != nil || head == nil {
		return []string{word}, err
	}
	return []string{shellwords.Join(slices.Concat(v.Env, head, v.Args)), word}, nil
}
