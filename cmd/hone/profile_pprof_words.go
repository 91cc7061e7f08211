package main

import (
	"cmp"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/prof"
)

// pprofOptions are options of go tool pprof, what hone calls them, and whether they take a value.
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

// inHone translates a command line of hone profile that has options of go tool pprof. It is empty if there are none, and for
// other commands. own are the flags of the command, which are not translated.
func inHone(args []string, own *pflag.FlagSet) string {
	if len(args) == 0 || args[0] != "profile" {
		return ""
	}
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
	if !translated {
		return ""
	}
	return spec.Join(slices.Concat([]string{"hone", "profile", verb}, words, flags))
}

// flagNamed is a flag by its name, as pprof writes it, or by its letter; nil if there is none.
func flagNamed(own *pflag.FlagSet, name string) *pflag.Flag {
	if len(name) == 1 {
		return own.ShorthandLookup(name)
	}
	return own.Lookup(strings.ReplaceAll(name, "_", "-"))
}
