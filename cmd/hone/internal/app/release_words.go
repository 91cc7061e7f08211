package app

import (
	"slices"
	"strings"

	"github.com/gohone/hone/internal/program/build"
	"github.com/gohone/hone/internal/program/source"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/shellwords"
)

// Releases gives the words of a command line that name released versions their exact form: @v1.3.0 is of the package
// of the word before, and latest is the version that it means now.
func (a *App) Releases(words []string) ([]string, error) {
	words = slices.Clone(words)
	path := "" // of the latest released package
	for i, word := range words {
		v, err := build.ParseVariant("A", word)
		if err != nil {
			continue // what is wrong with the word is said where it is used
		}
		named := v.Source
		if source.IsVersion(named) {
			if path == "" {
				return nil, fail.New(fail.BadInput, "%s is a version, and no package stands before it", named).
					WithHint("name the package once: hone compare github.com/OWNER/NAME/cmd/server@v1.2.0 %s", named)
			}
			named = path + named
		}
		if !source.IsRelease(named) || IsSource(named) {
			continue
		}
		path, _, _ = strings.Cut(named, "@")
		if v.Source, err = source.ExactRelease(a.Ctx, named, source.Options{Env: build.Env(v)}); err != nil {
			return nil, err
		}
		if v.Source != word {
			words[i] = shellwords.Join(v.Words())
		}
	}
	return words, nil
}

// againstLatest puts the latest version of a released package behind it, with the same environment and arguments.
func (a *App) againstLatest(word string, v build.Variant) ([]string, error) {
	latest := v
	path, _, _ := strings.Cut(v.Source, "@")
	var err error
	latest.Source, err = source.ExactRelease(a.Ctx, path+"@latest", source.Options{Env: build.Env(v)})
	if err == nil && latest.Source == v.Source {
		err = fail.New(fail.BadInput, "%s alone is compared with the latest version, which it is", word).
			WithHint("name an older version: hone compare %s@VERSION @latest", path)
	}
	return []string{word, shellwords.Join(latest.Words())}, err
}
