package spec

import (
	"fmt"
	"strings"

	"github.com/spf13/pflag"
)

// Set is the options of one command, with the values given.
type Set struct {
	of     Commands
	rows   []Row
	values *Spec
	// all has every row as a flag, also those that the command line only takes as a key.
	all *pflag.FlagSet
}

// Declare gives a command the options of the table: flags of their own, and --set for all of them. Values go to s. What
// the command has already it keeps.
func Declare(fl *pflag.FlagSet, c Commands, s *Spec) *Set {
	set := &Set{of: c, values: s, all: pflag.NewFlagSet("", pflag.ContinueOnError)}
	fl.SortFlags = false
	for _, r := range Rows {
		if r.For&c == 0 || fl.Lookup(r.Name) != nil {
			continue
		}
		set.rows = append(set.rows, r)
		f := r.declare(set.all, c, s)
		if r.IsFlag(c) {
			fl.AddFlag(f)
		}
	}
	fl.VarP((*setter)(set), "set", "",
		"`KEY=VALUE` for an option without a flag (repeatable); --help-all lists the keys")
	fl.Lookup("set").Hidden = len(set.Keys()) == 0
	return set
}

// Defaults gives the options of a command the values that they have where nothing was said.
func Defaults(c Commands, s *Spec) { Declare(pflag.NewFlagSet("", pflag.ContinueOnError), c, s) }

// Of are the options of a command; nil if it takes none from the table.
func Of(fl *pflag.FlagSet) *Set {
	f := fl.Lookup("set")
	if f == nil {
		return nil
	}
	s, _ := f.Value.(*setter)
	return (*Set)(s)
}

// Put sets an option, as --set and the plans of hone.yaml do. An empty value after a lone key is that of a switch.
func (s *Set) Put(key, value string) error {
	if s.all.Lookup(key) == nil {
		var known []string
		for _, r := range s.rows {
			known = append(known, r.Name)
		}
		if r, elsewhere := Named(key, s.of); elsewhere {
			return fmt.Errorf("key %q is for hone %s", key, strings.Join(namesOf(r.For), ", hone "))
		}
		return fmt.Errorf("unknown key %q%s", key, meant(key, known))
	}
	return s.all.Set(key, value)
}

// Given says whether the user or a plan has set an option.
func (s *Set) Given(name string) bool {
	f := s.all.Lookup(name)
	return f != nil && f.Changed
}

// Keep makes options count as given, so that no plan sets them.
func (s *Set) Keep(names ...string) {
	for _, name := range names {
		s.all.Lookup(name).Changed = true
	}
}

// AllGiven lists the rows that were set.
func (s *Set) AllGiven() (rows []Row) {
	for _, r := range s.rows {
		if s.Given(r.Name) {
			rows = append(rows, r)
		}
	}
	return rows
}

// OnlyFor lists what was set of the options that some commands take and others do not, as the user wrote it.
func (s *Set) OnlyFor(some, others Commands) (written []string) {
	for _, r := range s.AllGiven() {
		if Takes(r.Name, some) && !Takes(r.Name, others) {
			written = append(written, s.Written(r))
		}
	}
	return written
}

// Row is the row of that name, if the command takes it.
func (s *Set) Row(name string) (Row, bool) {
	for _, r := range s.rows {
		if r.Name == name {
			return r, true
		}
	}
	return Row{}, false
}

// ForPlans are the names of the options that a plan may set.
func (s *Set) ForPlans() (names []string) {
	for _, r := range s.rows {
		if !r.Has(NotInPlans) {
			names = append(names, r.Name)
		}
	}
	return names
}

// IsList says whether an option takes several values.
func (s *Set) IsList(name string) bool {
	_, list := s.all.Lookup(name).Value.(pflag.SliceValue)
	return list
}

// NeedsValue says whether an option takes a value: a switch alone means true.
func (s *Set) NeedsValue(name string) bool {
	f := s.all.Lookup(name)
	return f == nil || f.NoOptDefVal == ""
}

// setter is --set.
type setter Set

// String implements pflag.Value.
func (*setter) String() string { return "" }

// Type implements pflag.Value.
func (*setter) Type() string { return "KEY=VALUE" }

// Set implements pflag.Value.
func (s *setter) Set(text string) error {
	key, value, given := strings.Cut(text, "=")
	if f := s.all.Lookup(key); f != nil && !given {
		if f.NoOptDefVal == "" {
			return fmt.Errorf("write %s=VALUE", key)
		}
		value = f.NoOptDefVal
	}
	return (*Set)(s).Put(key, value)
}

// Written is how the command takes an option: --name, or --set name.
func (s *Set) Written(r Row) string {
	if r.IsFlag(s.of) {
		return "--" + r.Name
	}
	return "--set " + r.Name
}

// Word is what was given to --set, as one word of a command line: under the option's own flag, if it has one.
func (s *Set) Word(text string) string {
	key, value, given := strings.Cut(text, "=")
	if given && !s.NeedsValue(key) && value == s.all.Lookup(key).NoOptDefVal {
		given = false
	}
	if !given {
		return Option(s.of, key)
	}
	return Option(s.of, key, value)
}

// Keys are the options without a flag.
func (s *Set) Keys() (keys []*pflag.Flag) {
	for _, r := range s.rows {
		if !r.IsFlag(s.of) {
			keys = append(keys, s.all.Lookup(r.Name))
		}
	}
	return keys
}
