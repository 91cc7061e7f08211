package bed

import (
	"errors"
	"flag"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Flags are the flags of a benchmark.
type Flags struct {
	*flag.FlagSet
	faults []error
}

// NewFlags has no flags yet.
func NewFlags(name string) *Flags {
	return &Flags{FlagSet: flag.NewFlagSet(name, flag.ContinueOnError)}
}

// Ints is a flag for numbers from least on, separated by commas.
func (f *Flags) Ints(to *[]int, name, value string, least int, usage string) {
	f.list(name, value, usage, func(words []string) (err error) {
		*to = make([]int, len(words))
		for i, w := range words {
			n, bad := strconv.Atoi(w)
			if bad != nil || n < least {
				err = errors.Join(err, fmt.Errorf("-%s has %q, want a number from %d", name, w, least))
			}
			(*to)[i] = n
		}
		return err
	})
}

// Words is a flag for words separated by commas; none for "".
func (f *Flags) Words(to *[]string, name, value, usage string) {
	f.list(name, value, usage, func(words []string) error {
		*to = words
		return nil
	})
}

// Choice is a flag for some of all by their names, in that order; all for "".
func Choice[T any](f *Flags, to *[]T, name, value, what string, all []T, nameOf func(T) string, usage string) {
	names := make([]string, len(all))
	for i, x := range all {
		names[i] = nameOf(x)
	}
	known := strings.Join(names, ", ")
	f.list(name, value, usage+": "+known, func(words []string) (err error) {
		*to = nil
		for _, w := range words {
			if i := slices.Index(names, w); i >= 0 {
				*to = append(*to, all[i])
			} else {
				err = errors.Join(err, fmt.Errorf("-%s: unknown %s %q (known: %s)", name, what, w, known))
			}
		}
		if len(words) == 0 {
			*to = slices.Clone(all)
		}
		return err
	})
}

// list is a flag for words separated by commas. It keeps its text, as flags do that are read
// back, and its faults until all flags are read.
type list struct {
	text string
	read func(text string)
}

func (l *list) String() string { return l.text }

// Set implements flag.Value.
func (l *list) Set(text string) error {
	l.text = text
	l.read(text)
	return nil
}

func (f *Flags) list(name, value, usage string, set func(words []string) error) {
	l := &list{value, func(text string) {
		var words []string
		if text != "" {
			words = strings.Split(text, ",")
		}
		err := set(words)
		f.Want(err == nil, "%w", err)
	}}
	l.read(value)
	f.Var(l, name, usage)
}

// Want notes a fault unless ok.
func (f *Flags) Want(ok bool, format string, args ...any) {
	if !ok {
		f.faults = append(f.faults, fmt.Errorf(format, args...))
	}
}

// Read reads arguments, all of which are flags.
func (f *Flags) Read(args []string) {
	err := f.Parse(args)
	f.Want(err == nil, "%w", err)
	f.Want(f.NArg() == 0, "unexpected argument %q: every setting is a flag", f.Arg(0))
}

// Faults are all that Read and Want found.
func (f *Flags) Faults() error { return errors.Join(f.faults...) }

// CommandLine is what makes the figures: the case with the flags that were given, without those that say where files
// are.
func (f *Flags) CommandLine() string {
	text := "go run . " + f.Name()
	f.Visit(func(g *flag.Flag) {
		if !slices.Contains([]string{"hone", "results", "clones", "python", "publish", "report", "record"}, g.Name) {
			text += " -" + g.Name + " " + g.Value.String()
		}
	})
	return text
}
