package spec

import (
	"fmt"
	"strconv"
	"time"

	"github.com/spf13/pflag"
)

// ForAgent says of an option that coding agents may set it, over MCP, what it is where they do not, and how much they
// may ask for.
type ForAgent struct {
	// Default is empty for that of the command, Most for no limit. Most is of times and whole numbers.
	Default, Most string
}

// OfAgents are the options of a command that agents may set, each as the flag that it is. None of them is given.
func OfAgents(c Commands) (*Set, []*pflag.Flag) {
	set := Declare(pflag.NewFlagSet("", pflag.ContinueOnError), c, &Spec{})
	var flags []*pflag.Flag
	for _, r := range set.rows {
		if r.ForAgent != nil {
			flags = append(flags, set.all.Lookup(r.Name))
		}
	}
	return set, flags
}

// ByAgent is an option with the values that an agent gives it, or else the one that it has for agents, as words of a
// command line.
func (s *Set) ByAgent(name string, values ...string) (words []string, err error) {
	r, _ := s.Row(name)
	if len(values) == 0 && r.ForAgent.Default != "" {
		return []string{Option(s.of, name, r.ForAgent.Default)}, nil
	}
	for _, value := range values {
		if err := s.Put(name, value); err != nil {
			return nil, fmt.Errorf("%s is %q: %w", name, value, err)
		}
		if !s.within(r) {
			return nil, fmt.Errorf("%s is %s, want more than 0 and at most %s", name, value, r.ForAgent.Most)
		}
		words = append(words, Option(s.of, name, value))
	}
	return words, nil
}

// within says whether the value of an option is over 0, and at most what an agent may ask for.
func (s *Set) within(r Row) bool {
	if r.ForAgent.Most == "" {
		return true
	}
	switch value := r.To(s.values).(type) {
	case *time.Duration:
		most, err := time.ParseDuration(r.ForAgent.Most)
		return err == nil && *value > 0 && *value <= most
	case *int:
		most, err := strconv.Atoi(r.ForAgent.Most)
		return err == nil && *value > 0 && *value <= most
	}
	panic("row " + r.Name + " has a limit, and is not a time or a whole number")
}
