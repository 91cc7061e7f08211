package spec

import (
	"slices"
	"strings"
)

// Advise is what is tried of what hone advise finds.
type Advise struct {
	// Finding is the number of a finding, or the name of its rule; Apply writes its patch.
	Finding string
	Apply   bool
	// Verify tries settings of the kinds Only, nil for all; WritePGO writes a profile for the compiler, Force over one
	// that is there.
	Verify, WritePGO, Force bool
	Only                    []string
	// Rules lists them. Save and SARIF are files.
	Rules       bool
	Save, SARIF string
}

// The kinds of settings that hone advise --verify tries: of each kind one can hold at a time.
const (
	SettingPGO        = "pgo"
	SettingGC         = "gc"
	SettingProcs      = "gomaxprocs"
	SettingExperiment = "goexperiment"
	SettingMemory     = "memory"
)

// Settings are the kinds that are tried for less CPU time, AllSettings those for less memory as well: they cost CPU time.
var (
	Settings    = []string{SettingPGO, SettingGC, SettingProcs, SettingExperiment}
	AllSettings = append(slices.Clone(Settings), SettingMemory)
)

var adviseRows = []Row{
	{Name: "weigh", Group: OfAdvise, For: ForAdvise, Flag: always, Is: First | NotInPlans,
		Help: "rank the findings by what their function takes of the CPU profile of production: a `RUN` or a file (hone pull)",
		To:   func(s *Spec) any { return &s.Weigh }},
	{Name: "rules", Group: OfAdvise, For: ForAdvise, Flag: always, Is: First,
		Help: "list the rules: what each looks for, its thresholds and their reasons",
		To:   func(s *Spec) any { return &s.Advise.Rules }},
	{Name: "try", Group: OfAdvise, For: ForAdvise, Flag: always, Is: First,
		Help: "rewrite the source as finding `N` says, test it, and measure it against the source as it is\nN is a number, or the name of a rule. The budget is 1m0s without --budget.",
		To:   func(s *Spec) any { return &s.Advise.Finding }},
	{Name: "apply", Group: OfAdvise, For: ForAdvise, Flag: always, Is: First,
		Help: "with --try: write a patch that pays into the source",
		To:   func(s *Spec) any { return &s.Advise.Apply }},
	{Name: "verify", Group: OfAdvise, For: ForAdvise, Flag: always, Is: First,
		Help: "try what needs no change of source, and measure it: PGO, GOGC and GOMEMLIMIT, GOMAXPROCS, GOEXPERIMENT",
		To:   func(s *Spec) any { return &s.Advise.Verify }},
	{Name: "verify", Group: OfAdvise, For: ForMemory, Flag: always, Is: First,
		Help: "of a run: try the settings that shrink its largest parts, and measure memory and CPU time",
		To:   func(s *Spec) any { return &s.Advise.Verify }},
	{Name: "only", Group: OfAdvise, For: ForAdvise, Flag: always, Is: First | Commas,
		Help: "with --verify: `KINDS` of settings to try, of " + strings.Join(AllSettings, ", ") +
			" (default: all but memory)\ngoexperiment builds the standard library anew, which takes minutes the first time.",
		To: func(s *Spec) any { return &s.Advise.Only }},
	{Name: "write-pgo", Group: OfAdvise, For: ForAdvise, Flag: always, Is: First,
		Help: "with --verify: write default.pgo into the directory of package main if PGO was shown to gain",
		To:   func(s *Spec) any { return &s.Advise.WritePGO }},
	{Name: "force", Group: OfAdvise, For: ForAdvise, Flag: always,
		Help: "with --write-pgo: replace a default.pgo that is there",
		To:   func(s *Spec) any { return &s.Advise.Force }},
	{Name: "sarif", Group: OfOutput, For: ForAdvise, Flag: always, Is: First,
		Help: "also write the findings to `FILE` as SARIF 2.1.0, for GitHub code scanning; - is standard output, without the text",
		To:   func(s *Spec) any { return &s.Advise.SARIF }},
	{Name: "save", Group: OfOutput, For: ForAdvise, Flag: always,
		Help: "also write what the rules looked at to `FILE`, to repeat their work elsewhere",
		To:   func(s *Spec) any { return &s.Advise.Save }},
}
