package findings

import (
	"fmt"
	"slices"
	"strings"
)

// trial is a rule with its three programs.
type trial struct {
	// Rule is the name of the rule, and of the directory of the programs.
	Rule string
	// Load is the program's target and how hone asks it; Silent the same for the near miss, nil: like Load.
	Load   load
	Silent *load
	// Anywhere says that no line of the source causes it.
	Anywhere bool
	// Dead says that speaks answers too little for a comparison.
	Dead bool
}

// load is the target of a program and the flags of hone run with it.
type load struct {
	Target string
	Flags  []string
	// Build are flags of go build for speaks, and for silent.
	Build []string
	// Args are the program's, behind its address.
	Args []string
}

// programs is where they are, from the root of the repository.
const programs = "internal/insight/advice/testdata"

// part is one measurement of a trial.
type part string

const (
	speaks part = "speaks" // hone run and hone advise on the program with the defect
	fixed  part = "fixed"  // the same on the program without it
	silent part = "silent" // the same on the near miss
	gain   part = "gain"   // hone compare of speaks and fixed
)

var parts = []part{speaks, silent, fixed, gain}

// dir is where a program is, from the root of the repository.
func (t *trial) dir(p part) string { return programs + "/" + t.Rule + "/" + string(p) }

func (t *trial) load(p part) load {
	if p == silent && t.Silent != nil {
		return *t.Silent
	}
	return t.Load
}

// run is the command line of hone run behind "run", with flags of its own.
func (t *trial) run(p part, flags ...string) []string {
	l := t.load(p)
	all := append([]string{"./" + t.dir(p)}, l.flags(flags)...)
	if p != fixed {
		for _, b := range l.Build {
			all = append(all, "--flags", b)
		}
	}
	return append(all, l.args()...)
}

// compare is the same for hone compare, of speaks and fixed.
func (t *trial) compare(flags ...string) []string {
	all := append([]string{"./" + t.dir(speaks), "./" + t.dir(fixed)}, t.Load.flags(flags)...)
	for _, b := range t.Load.Build {
		all = append(all, "--flags", "A:"+b)
	}
	return append(all, t.Load.args()...)
}

func (l load) flags(more []string) []string {
	return append(append([]string{"--target", l.Target}, l.Flags...), more...)
}

func (l load) args() []string { return append([]string{"--", "-addr", "127.0.0.1:{port}"}, l.Args...) }

// get asks an HTTP program, post sends it a body.
func get(uri string, flags ...string) load {
	return load{Target: "http://127.0.0.1:{port}" + uri, Flags: flags}
}

func post(uri, body string, flags ...string) load { return get(uri, append(flags, "--body", body)...) }

// tcp sends a frame, as hexadecimal digits, to a program of length-prefixed frames.
func tcp(frame string, flags ...string) load {
	return load{Target: "tcp://127.0.0.1:{port}", Flags: append(flags, "--body", "hex:"+frame)}
}

func (l load) with(args ...string) load { l.Args = args; return l }

func (l load) built(flags ...string) load { l.Build = flags; return l }

func to(l load) *load { return &l }

// chosen are the trials of the rules; all for none.
func chosen(rules []string) (some []*trial, err error) {
	if len(rules) == 0 {
		return trials, nil
	}
	for _, r := range rules {
		at := slices.IndexFunc(trials, func(t *trial) bool { return t.Rule == r })
		if at < 0 || slices.Contains(some, trials[at]) {
			return nil, fmt.Errorf("-only: no trial %q, or it is there twice (known: %s)", r, strings.Join(rulesOf(trials), ", "))
		}
		some = append(some, trials[at])
	}
	return some, nil
}

func rulesOf(trials []*trial) (rules []string) {
	for _, t := range trials {
		rules = append(rules, t.Rule)
	}
	return rules
}
