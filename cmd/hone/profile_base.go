package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/gohone/hone/internal/cmdline"
	"github.com/gohone/hone/internal/fail"
	"github.com/gohone/hone/internal/units"
	"github.com/gohone/hone/prof"
)

// lessBase is what a capture costs more than that of the base.
func (a *app) lessBase(f *viewFlags, c prof.Capture) (prof.Capture, error) {
	if f.svg != "" || f.html != "" {
		return c, fail.New(fail.BadInput, "a flame graph has no room for costs under 0: --base goes with --svg and --html of hone profile diff only").
			WithHint("%s", cmdline.Join([]string{"hone", "profile", "diff", f.base, f.of, "--html", cmp.Or(f.html, "diff.html")}))
	}
	kind := cmp.Or(c.Kind, f.kind)
	p, err := a.openProfiles(&f.profileFlags, f.base, kind)
	if err != nil {
		return c, err
	}
	base, err := p.one(kind)
	if err != nil {
		return c, err
	}
	diff, factor, err := prof.Subtract(c, base)
	if err != nil {
		return c, fail.New(fail.BadInput, "--base: %w", err).WithHint("take both with the same tool, of the same kind")
	}
	if factor != 0 {
		fmt.Fprintf(a.stderr, "note: what accumulates in the base is multiplied by %s, for the same number of requests\n", units.Digits(factor))
	}
	c.Profile = diff
	return c, nil
}

// pprofOptions are options of go tool pprof and what hone calls them; those that are true take a value.
var pprofOptions = map[string]struct {
	flag  string
	value bool
}{
	"base": {"--base", true}, "diff_base": {"--base", true}, "cum": {"--cum", false}, "sample_index": {"--sample", true}, "nodecount": {"-n", true},
	"nodefraction": {"--node-share", true}, "edgefraction": {"--edge-share", true}, "noinlines": {"--no-inlines", false}, "unit": {"--unit", true},
	"focus": {"--focus", true}, "ignore": {"--ignore", true}, "hide": {"--hide", true}, "show": {"--show", true}, "show_from": {"--show-from", true},
	"tagfocus": {"--tag-focus", true}, "tagignore": {"--tag-ignore", true}, "granularity": {"--granularity", true}, "http": {"--addr", true},
	"inuse_space": {"--sample=inuse_space", false}, "inuse_objects": {"--sample=inuse_objects", false},
	"alloc_space": {"--sample=alloc_space", false}, "alloc_objects": {"--sample=alloc_objects", false},
}

// pprofViews are those that go tool pprof calls by an option: the name of the view, and whether it is of functions.
var pprofViews = map[string]struct {
	view string
	of   bool
}{"top": {"top", false}, "text": {"top", false}, "tree": {"tree", false}, "tags": {"tags", false}, "dot": {"graph", false}, "list": {"list", true}, "peek": {"peek", true}}

// inHone writes a command line of hone profile with options of go tool pprof as hone has it; empty if it has none of them, or
// if the command is no view. The command's own flags stay as they are.
func inHone(args []string, own *pflag.FlagSet) string {
	verbs := []string{"diff", "web"}
	for _, v := range prof.Views {
		verbs = append(verbs, v.Name)
	}
	verb, base, function, translated := "", "", "", false
	var words, flags []string
	for i := 1; i < len(args); i++ {
		name, value, given := strings.Cut(strings.TrimLeft(args[i], "-"), "=")
		name = strings.ReplaceAll(name, "-", "_")
		next := func() string {
			if !given && i+1 < len(args) {
				i++
				value = args[i]
			}
			return value
		}
		o, isOption := pprofOptions[name]
		v, isView := pprofViews[name]
		switch {
		case !strings.HasPrefix(args[i], "-"):
			if verb == "" && slices.Contains(verbs, args[i]) {
				verb = args[i]
			} else {
				words = append(words, args[i])
			}
		case isView:
			translated, verb = true, v.view
			if v.of {
				function = next()
			}
		case isOption && o.flag == "--base":
			translated, base = true, next()
		case isOption && o.value:
			translated, flags = true, append(flags, o.flag+"="+next())
		case isOption:
			translated, flags = true, append(flags, o.flag)
		default:
			flags = append(flags, args[i])
			if f := flagNamed(own, name); f != nil && f.NoOptDefVal == "" && !given && i+1 < len(args) {
				flags = append(flags, next())
			}
		}
	}
	if verb == "" && slices.ContainsFunc(flags, func(f string) bool { return strings.HasPrefix(f, "--addr=") }) {
		verb = "web"
	}
	verb = cmp.Or(verb, "top")
	switch {
	case base != "" && verb == "diff":
		words = append([]string{base}, words...)
	case base != "":
		flags = append(flags, "--base="+base)
	}
	if function != "" {
		words = append([]string{function}, words...)
	}
	if !translated || len(args) == 0 || args[0] != "profile" {
		return ""
	}
	return cmdline.Join(slices.Concat([]string{"hone", "profile", verb}, words, flags))
}

// flagNamed is a flag by its name, as pprof writes it, or by its letter; nil if there is none.
func flagNamed(own *pflag.FlagSet, name string) *pflag.Flag {
	if len(name) == 1 {
		return own.ShorthandLookup(name)
	}
	return own.Lookup(strings.ReplaceAll(name, "_", "-"))
}
