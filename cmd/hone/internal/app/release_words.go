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

// againstLatest puts the latest version of a released package after it, with the same environment and arguments.
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

// ReleasedBenchmarks are the packages and the other version of a command line that may name released versions:
// PACKAGES@V1 @V2 compares both, PACKAGES@V1 alone compares with the latest one, and vs may be a version, too.
func (a *App) ReleasedBenchmarks(packages []string, vs string, alone bool) (ofB []string, ofA string, err error) {
	words := packages
	if vs != "" {
		words = append(slices.Clone(words), vs)
	}
	if words, err = a.Releases(words); err != nil {
		return nil, "", err
	}
	named := func(words []string) bool { return slices.ContainsFunc(words, source.IsRelease) }
	n := len(words)
	switch {
	case !named(words), n == 1 && alone:
		return packages, vs, nil
	case vs != "" && (n == 2 || !named(words[:n-1])):
		return words[:n-1], words[n-1], nil
	case n == 2 && source.IsRelease(words[0]) && source.IsRelease(words[1]):
		return words[1:], words[0], nil
	case n == 1:
		words, err = a.againstLatest(words[0], build.Variant{Source: words[0]})
		return words[len(words)-1:], words[0], err
	}
	return nil, "", fail.New(fail.BadInput, "released benchmarks are of one pattern, in two versions: %q", words).
		WithHint("hone bench github.com/OWNER/NAME/...@v1.2.0 @v1.3.0")
}
