package spec

import (
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/gohone/hone/internal/text/fail"
)

// Row is one option.
type Row struct {
	// Name is the key, and the long flag where it has one.
	Name string
	// Short is one letter.
	Short string
	Group Group
	// For are the commands that take the option. Flag are those of them where it has a flag of its own; in the others
	// it is a key of --set and of plans in hone.yaml.
	For, Flag Commands
	Is        Traits
	// Schemes are the targets it is for; nil: all.
	Schemes []string
	// Default is the value where nothing was said; By has the commands in which it is another. A list has none.
	Default string
	By      map[Commands]string
	// Help says what the option is for. Its first line stands in --help, all of it in --help-all. A word in backticks
	// names the value.
	Help string
	// To is the place of the value: a pointer to a string, a number, a bool, a duration or a list, or a pflag.Value.
	To func(*Spec) any
	// ForAgent is nil of an option that no agent may set.
	ForAgent *ForAgent
}

// Commands is a set of commands.
type Commands uint

// The commands that take options from the table. What hone advise takes besides its own completes a stored run that is
// measured again, also by hone tune gc. Top, List and Flame show a profile;
// Reading is any other command that reads the ledger, Keeping those that move runs and say what they
// trust, Pages those that only show it. LoadFile is hone load report, PullStore hone pull pyroscope and parca.
const (
	ForRun Commands = 1 << iota
	ForCompare
	ForLoad
	ForCalibrate
	ForTune
	ForAblate
	ForAdvise
	ForBench
	ForBenchFiles
	ForTop
	ForList
	ForFlame
	ForDiff
	ForBlame
	ForHot
	ForGC
	ForPProf
	ForPull
	ForPullStore
	ForHistory
	ForTail
	ForShow
	ForReading
	ForKeeping
	ForPages
	ForLoadFile
	ForBisect
	ForHolders
	ForCover
	ForUpgrade
	ForReach
	ForBenchJoin
	ForTrack
	ForMemory
	ForFix

	trials   = ForCalibrate | ForTune | ForAblate | ForUpgrade | ForFix
	compared = ForCompare | ForBisect | ForTrack | trials
	measured = ForRun | compared
	loaded   = measured | ForLoad
	benches  = ForBench | ForTrack
	always   = ^Commands(0)
)

// Traits say what else is true of an option.
type Traits uint

const (
	// First stands on the first screen of the help.
	First Traits = 1 << iota
	// NotInPlans belongs to the command line alone: no plan in hone.yaml sets it. The user alone says which broker gets
	// his token.
	NotInPlans
	// OfResult says what becomes of a result, not what is measured.
	OfResult
	// OfRun means nothing to a comparison, which decides it.
	OfRun
	// OfSchedule says when a load test sends, and whether it failed.
	OfSchedule
	// PerVariant can name one variant: A:VALUE.
	PerVariant
	// Completes is what a stored run may lack since it may be secret, or is in a file.
	Completes
	// Once is for whole executions, too; OnlyOnce for nothing else.
	Once
	OnlyOnce
	// Commas takes several values in one word.
	Commas
)

// Group is a part of the help.
type Group string

// The groups, in the order of the help.
const (
	OfBench   Group = "What to compare"
	OfAdvise  Group = "What to find and try"
	OfPull    Group = "What to pull"
	OfShown   Group = "What to show"
	OfTarget  Group = "What to load"
	OfLoad    Group = "How to load"
	OfProgram Group = "The program"
	OfTest    Group = "The test"
	OfObserve Group = "What to observe"
	OfOutput  Group = "Output"
)

var groups = []Group{OfBench, OfAdvise, OfPull, OfShown, OfTarget, OfLoad, OfProgram, OfTest, OfObserve, OfOutput}

// Has says whether the row has a trait.
func (r Row) Has(t Traits) bool { return r.Is&t != 0 }

// IsFlag says whether the option has a flag of its own in a command.
func (r Row) IsFlag(c Commands) bool { return r.For&c != 0 && r.Flag&c != 0 }

// Named is the row of that name: that of the command c, where commands have different ones.
func Named(name string, c Commands) (Row, bool) {
	var other *Row
	for i, r := range Rows {
		if r.Name != name {
			continue
		}
		if r.For&c != 0 {
			return r, true
		}
		other = &Rows[i]
	}
	if other == nil {
		return Row{}, false
	}
	return *other, true
}

// With are the names of the rows with one of the traits.
func With(t Traits) (names []string) {
	for _, r := range Rows {
		if r.Has(t) && !slices.Contains(names, r.Name) {
			names = append(names, r.Name)
		}
	}
	return names
}

// Option is how an option is written on a command line: --name=value, or --set=name=value; without a value a switch.
func Option(c Commands, name string, value ...string) string {
	word := "--" + name
	if r, known := Named(name, c); known && !r.IsFlag(c) {
		word = "--set=" + name
	}
	return strings.Join(append([]string{word}, value...), "=")
}

// Split takes a word of a command line apart that Option has written. ok is false of any other word.
func Split(word string) (name, value string, ok bool) {
	rest, ok := strings.CutPrefix(word, "--")
	if !ok || rest == "" {
		return "", "", false
	}
	rest = strings.TrimPrefix(rest, "set=")
	name, value, _ = strings.Cut(rest, "=")
	return name, value, true
}

// ForScheme says whether an option is for targets of a scheme.
func ForScheme(name, scheme string) bool {
	r, known := Named(name, always)
	return !known || r.Schemes == nil || slices.Contains(r.Schemes, scheme)
}

// Elsewhere says how to write a flag that a command does not have: as a key, or for another command. It is empty of an
// unknown one.
func Elsewhere(cmd *pflag.FlagSet, flag string) string {
	s := Of(cmd)
	if s == nil {
		return ""
	}
	if name, ok := ofOthers[flag]; ok && Takes(name, s.of) {
		return "hone's name for it is " + Option(s.of, name)
	}
	r, known := Named(flag, s.of)
	switch {
	case !known:
		return ""
	case r.For&s.of == 0:
		return "it is an option of hone " + strings.Join(namesOf(takers(flag)), ", hone ")
	}
	return "it is a key: --set " + flag + "=VALUE, or " + flag + ": VALUE in a plan of hone.yaml"
}

// Takes says whether commands take an option of this name.
func Takes(name string, c Commands) bool { return takers(name)&c != 0 }

// takers are the commands that take an option of this name, each from its own row.
func takers(name string) (all Commands) {
	for _, r := range Rows {
		if r.Name == name {
			all |= r.For
		}
	}
	return all
}

// namesOf are the names of commands: of those that measure, where there are some, since the others only measure again.
func namesOf(c Commands) (names []string) {
	if c&loaded != 0 {
		c &= loaded
	}
	for i, name := range []string{"run", "compare", "load", "calibrate", "tune gc", "ablate", "advise", "bench",
		"bench compare", "profile top",
		"profile list", "profile flame", "profile diff", "profile blame", "profile hot", "profile gc", "profile pprof",
		"pull", "pull pyroscope", "history", "tail", "show", "others", "export", "serve", "load report", "bisect",
		"profile holders", "cover", "upgrade"} {
		if c&(1<<i) != 0 {
			names = append(names, name)
		}
	}
	return names
}

// meant is the end of a message on an unknown name.
func meant(name string, known []string) string {
	if near := fail.Nearest(name, known); near != "" {
		return ` (did you mean "` + near + `"?)`
	}
	return ""
}
