package build

import (
	"errors"
	"strings"
	"unicode/utf8"

	"github.com/gohone/hone/internal/program/gocommand"
	"github.com/gohone/hone/internal/text/fail"
)

// called finds variants by what a command line calls them.
type called struct {
	variants []Variant
	names    []string
}

// toolchains reads --toolchain: TOOLCHAIN or NAME=TOOLCHAIN, separated by commas.
func (c called) toolchains(text string) (share, error) {
	s := share{one: map[int][]string{}}
	if text == "" {
		return s, nil
	}
	var errs []error
	column := 1
	for part := range strings.SplitSeq(text, ",") {
		word := optionWord{option: "--toolchain", text: text, column: column}
		errs = append(errs, c.toolchain(&s, word, part))
		column += utf8.RuneCountInString(part) + 1
	}
	return s, errors.Join(errs...)
}

func (c called) toolchain(s *share, word optionWord, part string) error {
	name, toolchain, found := strings.Cut(part, "=")
	if !found {
		name, toolchain = "", part
	}
	if toolchain == "" {
		return word.fault("no toolchain").WithHint("write --toolchain go1.25.5, or --toolchain A=go1.25.5,B=go1.26.0")
	}
	at := word
	if found {
		at.column += utf8.RuneCountInString(name) + 1
	}
	if err := gocommand.CheckToolchain(toolchain); err != nil {
		return at.fault("%w", err)
	}
	if !found {
		if len(s.all) > 0 {
			return word.fault("a second toolchain for all variants").
				WithHint("give each its own: --toolchain %s=%s,%s=%s", c.letter(0), s.all[0], c.letter(1), toolchain)
		}
		s.all = []string{toolchain}
		return nil
	}
	i, err := c.find(name, word)
	if err != nil {
		return err
	}
	if len(s.one[i]) > 0 {
		return word.fault("a second toolchain for variant %s", name).WithHint("leave out one of the two")
	}
	s.one[i] = []string{toolchain}
	return nil
}

// letter is the name of a variant for a hint.
func (c called) letter(i int) string {
	if i < len(c.variants) {
		return c.variants[i].Name
	}
	return string(rune('A' + i))
}

// env reads the words of --env: KEY=VALUE or NAME:KEY=VALUE.
func (c called) env(words []string) (share, error) {
	return c.scoped("--env", words, func(word optionWord, name, value string) (string, error) {
		key, _, found := strings.Cut(value, "=")
		if !found || key == "" || strings.ContainsRune(value, 0) {
			return "", word.fault("want KEY=VALUE").
				WithHint("write --env GOGC=200, or for one variant --env %s:GOGC=200", c.letter(0))
		}
		return value, nil
	}, func(before, _ string) bool { return !strings.Contains(before, "=") })
}

// flags reads the words of --flags: a word for go build, or NAME:-FLAG.
func (c called) flags(words []string) (share, error) {
	return c.scoped("--flags", words, func(word optionWord, name, value string) (string, error) {
		bare := strings.TrimPrefix(strings.TrimPrefix(value, "-"), "-")
		if name != "" && gocommand.ValueFlags[bare] {
			return "", word.fault("the flag -%s wants a value", bare).
				WithHint("write both in one word: %s:-%s=VALUE", name, bare)
		}
		if value == "" || strings.ContainsRune(value, 0) {
			return "", word.fault("no flag").WithHint("write --flags -race, or for one variant --flags %s:-race",
				c.letter(0))
		}
		return value, nil
	}, func(before, after string) bool { return safeName.MatchString(before) && strings.HasPrefix(after, "-") })
}

// bare reads --set no-inject: which variants are built without the probe, by their numbers.
func (c called) bare(text string) (map[int]bool, error) {
	found := map[int]bool{}
	if text == "" {
		return found, nil
	}
	if text == EveryVariant {
		for i := range c.variants {
			found[i] = true
		}
		return found, nil
	}
	var errs []error
	column := 1
	for name := range strings.SplitSeq(text, ",") {
		i, err := c.find(name, optionWord{option: "--set no-inject", text: text, column: column})
		errs = append(errs, err)
		found[i] = err == nil
		column += utf8.RuneCountInString(name) + 1
	}
	return found, errors.Join(errs...)
}

// scoped divides words, some with NAME: before them; isName says, of what is before and
// behind the first colon, whether it is a name. read checks a word without the name.
func (c called) scoped(option string, words []string, read func(word optionWord, name, value string) (string, error),
	isName func(before, after string) bool) (share, error) {
	s := share{one: map[int][]string{}}
	var errs []error
	for _, text := range words {
		word := optionWord{option: option, text: text, column: 1}
		name, value, found := strings.Cut(text, ":")
		if !found || !isName(name, value) {
			value, err := read(word, "", text)
			errs, s.all = append(errs, err), append(s.all, value)
			continue
		}
		i, err := c.find(name, word)
		word.column += utf8.RuneCountInString(name) + 1
		value, errRead := read(word, name, value)
		errs, s.one[i] = append(errs, err, errRead), append(s.one[i], value)
	}
	return s, errors.Join(errs...)
}

// find returns the number of the variant that is called name.
func (c called) find(name string, word optionWord) (int, error) {
	var found []int
	var known []string
	for i, v := range c.variants {
		also := ""
		if i < len(c.names) {
			also = c.names[i]
		}
		if name != "" && (name == v.Name || name == also) {
			found = append(found, i)
		}
		known = append(known, v.Name)
		if also != "" && also != v.Name {
			known = append(known, also)
		}
	}
	switch {
	case len(found) == 1:
		return found[0], nil
	case len(found) > 1:
		return 0, word.fault("%q is the letter of one variant and the name of another", name).
			WithHint("call it by the other of its names: %s", strings.Join(known, " "))
	}
	fault := word.fault("no variant is called %q", name)
	for _, k := range known {
		if strings.EqualFold(k, name) {
			return 0, fault.WithHint("did you mean %q?", k)
		}
	}
	if near := fail.Nearest(name, known); near != "" {
		return 0, fault.WithHint("did you mean %q?", near)
	}
	return 0, fault.WithHint("the variants are called %s", strings.Join(known, " "))
}

// optionWord is a word of a command line, and the place in it that is looked at.
type optionWord struct {
	option, text string
	column       int
}

func (w optionWord) fault(format string, args ...any) *fail.Error {
	return fail.New(fail.BadInput, "%s %q: column %d: "+format, append([]any{w.option, w.text, w.column}, args...)...)
}
