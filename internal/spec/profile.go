package spec

import (
	"strings"

	"github.com/gohone/hone/prof"
)

// Profile is what of a profile is shown, and how.
type Profile struct {
	// Kind is that of the profile, Cohort the requests of a wait profile, Sample what is counted.
	Kind, Cohort, Sample string
	// Base is a run or a file whose costs are subtracted, Binary the program for the disassembly.
	Base, Binary string
	// These are regular expressions of functions.
	Focus, Ignore, Hide, Show, ShowFrom string
	// These are filters on labels.
	TagFocus, TagIgnore string
	// Granularity is what counts as one place, By what is blamed, Per what costs are divided by, Unit that of all
	// values.
	Granularity, By, Per, Unit string
	NoInlines, ByCum           bool
	NodeShare                  float64
	// MaxOutput is in megabytes.
	MaxOutput int
	// Process is the number of one that wrote gctrace; 0: the one with the most cycles.
	Process int
	SVG     string
	// PProf is a file in pprof's format that is written.
	PProf string
}

const (
	views   = ForTop | ForList | ForFlame
	blaming = ForBlame | ForHot
)

var profileRows = []Row{
	{Name: "kind", Group: OfShown, For: views | ForDiff | ForPProf, Flag: always, Is: First, Default: "cpu",
		ForAgent: &ForAgent{}, Help: "`KIND` of a run's profiles: " + strings.Join(prof.KindNames(), ", "),
		To: func(s *Spec) any { return &s.Profile.Kind }},
	{Name: "sample", Group: OfShown, For: views | ForDiff, Flag: always, Is: First,
		Help: "`TYPE` of sample to count, such as alloc_space or inuse_objects (default: that of the kind)",
		To:   func(s *Spec) any { return &s.Profile.Sample }},
	{Name: "cohort", Group: OfShown, For: views | ForDiff | ForPProf, Flag: always, Is: First,
		Help: "requests of a wait profile: typical (around the median) or slow (from p99 on; default: " +
			prof.TypicalCohort + ")",
		To: func(s *Spec) any { return &s.Profile.Cohort }},
	{Name: "base", Group: OfShown, For: views | ForPProf, Flag: always, Is: First,
		Help: "what there is more than in this `RUN` or file, as go tool pprof -base shows it",
		To:   func(s *Spec) any { return &s.Profile.Base }},
	{Name: "binary", Group: OfShown, For: ForPProf, Flag: always, Is: First,
		Help: "the program, `FILE`, for -disasm and -weblist (default: the one that was measured, if it is still there)",
		To:   func(s *Spec) any { return &s.Profile.Binary }},
	{Name: "process", Group: OfShown, For: ForGC, Flag: always, Is: First,
		Help: "which of several processes that wrote gctrace, by its `NUMBER` in the list (default: the one with the most cycles)",
		To:   func(s *Spec) any { return &s.Profile.Process }},
	{Name: "by", Group: OfShown, For: blaming, Flag: always, Is: First, Default: "line",
		By: map[Commands]string{ForHot: "function"}, Help: "what to blame: line, function, package",
		To: func(s *Spec) any { return &s.Profile.By }},
	{Name: "per", Group: OfShown, For: blaming | ForDiff, Flag: always, Is: First,
		By:   map[Commands]string{blaming: "request"},
		Help: "what costs are divided by: request, second, raw (nothing)\nA difference divides by requests if it is known how many there were, else by seconds; by nothing what is at one moment, such as the live heap.",
		To:   func(s *Spec) any { return &s.Profile.Per }},
	{Name: "number", Short: "n", Group: OfShown, For: ForTop | blaming | ForDiff | ForHistory | ForHolders | ForCover,
		Flag: always, Is: First, By: map[Commands]string{blaming: "20", ForHolders: "10", ForCover: "3", ForDiff: "40",
			ForHistory: "50"},
		ForAgent: &ForAgent{Default: "20", Most: "100"},
		Help:     "show at most this many; 0 shows all\nhone profile top then shows all that cost enough, a history the newest of each table.",
		To:       func(s *Spec) any { return &s.Shown }},
	{Name: "cum", Group: OfShown, For: ForTop, Flag: always, Is: First, ForAgent: &ForAgent{},
		Help: "order by cum, what a place costs with all that it calls",
		To:   func(s *Spec) any { return &s.Profile.ByCum }},
	{Name: "focus", Group: OfShown, For: views, Flag: always, Is: First, ForAgent: &ForAgent{},
		Help: "only samples with a frame that matches `EXPRESSION`",
		To:   func(s *Spec) any { return &s.Profile.Focus }},
	{Name: "ignore", Group: OfShown, For: views, Flag: always, Is: First,
		Help: "no samples with a frame that matches `EXPRESSION`",
		To:   func(s *Spec) any { return &s.Profile.Ignore }},
	{Name: "hide", Group: OfShown, For: views, Flag: always, Is: First,
		Help: "leave out frames that match `EXPRESSION`",
		To:   func(s *Spec) any { return &s.Profile.Hide }},
	{Name: "show", Group: OfShown, For: views, Flag: always, Is: First, Help: "only frames that match `EXPRESSION`",
		To: func(s *Spec) any { return &s.Profile.Show }},
	{Name: "show-from", Group: OfShown, For: views, Flag: always, Is: First,
		Help: "leave out what is above the highest frame that matches `EXPRESSION`",
		To:   func(s *Spec) any { return &s.Profile.ShowFrom }},
	{Name: "tag-focus", Group: OfShown, For: views | ForCover | ForDiff, Flag: always, Is: First,
		Help: "only samples with a label that matches: `EXPRESSION`, KEY=EXPRESSION, KEY=32kb:64kb",
		To:   func(s *Spec) any { return &s.Profile.TagFocus }},
	{Name: "tag-ignore", Group: OfShown, For: views | ForCover | ForDiff, Flag: always, Is: First,
		Help: "no samples with a label that matches `EXPRESSION`",
		To:   func(s *Spec) any { return &s.Profile.TagIgnore }},
	{Name: "granularity", Group: OfShown, For: ForTop | ForFlame, Flag: always, Is: First, Default: "functions",
		Help: "what counts as one place: functions, filefunctions, files, lines, addresses",
		To:   func(s *Spec) any { return &s.Profile.Granularity }},
	{Name: "no-inlines", Group: OfShown, For: views, Flag: always, Is: First,
		Help: "count inlined calls as part of their callers",
		To:   func(s *Spec) any { return &s.Profile.NoInlines }},
	{Name: "node-share", Group: OfShown, For: ForTop | ForFlame, Flag: always, Is: First, Default: "0.005",
		Help: "leave out places under this share of the total, a fraction or a percentage (0.01, 1%)",
		To:   func(s *Spec) any { return (*Fraction)(&s.Profile.NodeShare) }},
	{Name: "unit", Group: OfShown, For: views, Flag: always, Is: First,
		Help: "write all values in this `UNIT`: s, ms, us, ns, GB, MB, kB, B",
		To:   func(s *Spec) any { return &s.Profile.Unit }},
	{Name: "svg", Group: OfOutput, For: ForFlame | ForDiff, Flag: always, Is: First,
		Help: "draw the flame graph as a picture into `FILE`",
		To:   func(s *Spec) any { return &s.Profile.SVG }},
	{Name: "html", Group: OfOutput, For: ForFlame | ForDiff, Flag: always, Is: First,
		Help: "draw it as a page with zoom and search, into `FILE`",
		To:   func(s *Spec) any { return &s.HTML }},
	{Name: "pprof", Group: OfOutput, For: ForHolders, Flag: always, Is: First,
		Help: "write it as a profile, too, into `FILE`: for hone profile top, flame and diff",
		To:   func(s *Spec) any { return &s.Profile.PProf }},
	{Name: "max-output", Group: OfOutput, For: views, Flag: always, Is: First, Default: "32",
		Help: "limit of the text, in `MB`, roughly; the least important part is left out",
		To:   func(s *Spec) any { return &s.Profile.MaxOutput }},
}
