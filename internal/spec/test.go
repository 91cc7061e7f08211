package spec

import (
	"strconv"
	"time"

	"github.com/gohone/hone/internal/judge/gate"
	"github.com/gohone/hone/internal/judge/limit"
	"github.com/gohone/hone/judge"
)

// Test is how it is decided what differs.
type Test struct {
	// Budget is the most time that a comparison may take from the first start on: profiles, traces, the second stage
	// and the check of a gain are part of it, and only builds are not. It ends sooner where it can.
	Budget time.Duration `json:"budget_ns,omitempty"`
	// Gates end a comparison as soon as all of them are settled, and are judged by it. Documents have what came of
	// them.
	Gates     []gate.Gate `json:"-"`
	GateWords []string    `json:"-"`
	// FailIf are conditions on the load of one program, or of a load test, that must not hold.
	FailIf      []limit.Threshold `json:"-"`
	FailIfWords []string          `json:"-"`
	// ProveGate compares a program, or benchmarks, with itself: B is worse by more than a gate allows.
	ProveGate bool `json:"prove_gate,omitempty"`
	// Alpha is the level of the test, Delta the tolerance of "same", as fractions; 0 takes the default of package
	// judge.
	Alpha float64 `json:"alpha,omitempty"`
	Delta float64 `json:"delta,omitempty"`
	// Excluded is the largest bound of a change that "no change over" may have, as a fraction; 0 takes the default.
	Excluded float64 `json:"excluded,omitempty"`
	// Seed draws the order of slices and executions, and poisson arrivals.
	Seed uint64 `json:"seed,omitempty"`
	// Layouts is how many other orders of their functions the variants are linked in for the second stage of a
	// comparison, whose starts have one after the other. 0 is one for each start, as far as the budget has room for
	// linking; 1 keeps to the linker's own order.
	Layouts int `json:"layouts,omitempty"`
	// BlockLoad is the timed load between fresh starts of the variants in a comparison; 0 finds out what serves best. A
	// run has one start.
	BlockLoad time.Duration `json:"block_load_ns,omitempty"`
	// Answers is what the user says about the answers of a comparison.
	Answers AnswerRules `json:"answers,omitzero"`
	// Weigh is a run or a file with the CPU profile of production.
	Weigh string `json:"-"`
	// GitBisect ends the command with the exit codes of git bisect run.
	GitBisect bool `json:"-"`
	// Once executes programs to their end, without load.
	Once bool `json:"once,omitempty"`
	// Count is how many executions of a run are timed; of benchmarks the most rounds, 0 for as many as the budget has
	// room for.
	Count int `json:"count,omitempty"`
	// MaxTime ends an execution that takes longer; 0: as long as it likes.
	MaxTime time.Duration `json:"max_time_ns,omitempty"`
	// Unreached measures a comparison of two versions also if its load executes nothing that changed.
	Unreached bool `json:"unreached,omitempty"`
	// ShowOutput passes on what timed executions write.
	ShowOutput bool `json:"-"`
}

// Rules are those of its verdicts.
func (t *Test) Rules() judge.Options {
	return judge.Options{Alpha: t.Alpha, Delta: t.Delta, Excluded: t.Excluded}
}

// AnswerRules is what the user says about the answers of a comparison.
type AnswerRules struct {
	// Volatile says that bodies differ by nature: only the other parts are compared.
	Volatile bool `json:"volatile,omitempty"`
	// Allow has variants compared that answer differently, or do less work besides answering.
	Allow bool `json:"may_differ,omitempty"`
}

// Budgets of commands.
const (
	DefaultBudget      = time.Minute
	DefaultCalibration = 5 * time.Minute
	DefaultTuning      = 90 * time.Second
	DefaultVerifying   = 3 * time.Minute
	DefaultUpgrading   = 2 * time.Minute // for each box, whose slices are long
)

var defaultAlpha = strconv.FormatFloat(judge.DefaultAlpha, 'g', -1, 64)

var testRows = []Row{
	{Name: "budget", Short: "d", Group: OfTest, For: compared | ForAdvise | ForMemory, Flag: always, Is: First | Once,
		Default: DefaultBudget.String(),
		By: map[Commands]string{ForCalibrate: DefaultCalibration.String(), ForTune: DefaultTuning.String(),
			ForAdvise | ForMemory: DefaultVerifying.String(), ForUpgrade: DefaultUpgrading.String()},
		ForAgent: &ForAgent{Most: "30m"},
		Help:     "time limit after the builds, profiles and checks included\nA comparison ends earlier if it can, a calibration does not.",
		To:       func(s *Spec) any { return &s.Budget }},
	{Name: "gate", Group: OfTest, For: ForCompare | ForBisect, Flag: always, Is: First | Once, ForAgent: &ForAgent{},
		Help: "`LIMIT` on the change from A: cpu<+2%, p99<+5%, allocs<=0 (repeatable)\nAlso of a function: 'func(main.work)<+5%'. Passed: exit 0, failed: 1, undecided: 8.",
		To:   func(s *Spec) any { return &s.GateWords }},
	{Name: "prove-gate", Group: OfTest, For: ForCompare | ForBench, Flag: always, Is: First | NotInPlans,
		Help: "prove that a gate can fail: B is A, worse by one and a half times its limit in a function that each " +
			"request or benchmark calls\nThe source is not touched. It ends with 1, as a regression does; with another " +
			"code the gate would see none.",
		To: func(s *Spec) any { return &s.ProveGate }},
	{Name: "delta", Group: OfTest, For: ForCompare | ForBisect | ForCalibrate | benches | ForBenchFiles, Flag: always,
		Is: First | Once, Default: strconv.FormatFloat(judge.DefaultDelta, 'g', -1, 64),
		Help: "largest change that counts as \"the same\", as a fraction or a percentage (0.01, 1%)",
		To:   func(s *Spec) any { return (*Fraction)(&s.Delta) }},
	{Name: "excluded", Group: OfTest, For: ForCompare | ForBisect | benches, Is: First | Once,
		Default: strconv.FormatFloat(judge.DefaultExcluded, 'g', -1, 64),
		Help:    "largest bound of a change that is a verdict (no change over 1.9 %), as a fraction or a percentage\nWhat only a larger one is excluded of is undecided.",
		To:      func(s *Spec) any { return (*Fraction)(&s.Excluded) }},
	{Name: "all", Group: OfTest, For: ForCompare, Flag: always,
		Help: "do not look at what the load executes: measure in any case\nWithout it, two versions that differ in nothing that the load executes are the same.",
		To:   func(s *Spec) any { return &s.Unreached }},
	{Name: "weigh", Group: OfTest, For: ForCompare, Flag: always, Is: First | NotInPlans | Once,
		Help: "weigh the change by the CPU profile of production: a `RUN` or a file (hone pull)",
		To:   func(s *Spec) any { return &s.Weigh }},
	{Name: "alpha", Group: OfTest, For: compared | ForAdvise | benches, Is: Once, Flag: ForBench,
		Default: defaultAlpha, Help: "level of the test, shared by all looks, and by all variants or benchmarks",
		To: func(s *Spec) any { return &s.Alpha }},
	{Name: "once", Group: OfTest, For: ForRun | ForCompare, Flag: always, Is: First | NotInPlans | Once,
		Help: "execute programs of any language to their end, without load\nIn a comparison they take turns. If no program is named before --, the first word after it is the program.",
		To:   func(s *Spec) any { return &s.Once }},
	{Name: "count", Group: OfTest, For: ForRun, Flag: always, Is: NotInPlans | OfRun | Once | OnlyOnce, Default: "1",
		Help: "executions to take with --once",
		To:   func(s *Spec) any { return &s.Count }},
	{Name: "once.max-time", Group: OfTest, For: ForRun | ForCompare, Is: NotInPlans | Once | OnlyOnce,
		Help: "time limit of each execution with --once (default: none)",
		To:   func(s *Spec) any { return &s.MaxTime }},
	{Name: "once.show-output", Group: OfTest, For: ForRun | ForCompare, Is: NotInPlans | Once | OnlyOnce,
		Help: "with --once, pass on what the program writes",
		To:   func(s *Spec) any { return &s.ShowOutput }},
	{Name: "git-bisect", Group: OfTest, For: ForCompare | ForBench, Is: NotInPlans | OfResult | Once,
		Help: "use the exit codes of git bisect run: 1 for a regression, 125 if there is no verdict (hone bisect finds a commit by itself)",
		To:   func(s *Spec) any { return &s.GitBisect }},
	{Name: "seed", Group: OfTest, For: loaded | ForAdvise | benches, Flag: ^ForLoad, Is: OfSchedule | Once,
		Help: "seed of the random order, and of poisson arrivals; 0 draws one",
		To:   func(s *Spec) any { return &s.Seed }},
	{Name: "block", Group: OfTest, For: compared | ForAdvise | ForMemory,
		Help: "timed load between fresh starts of the variants (default: chosen from the first blocks)",
		To:   func(s *Spec) any { return &s.BlockLoad }},
	{Name: "layouts", Group: OfTest, For: ForCompare | ForBisect | ForTrack,
		Help: "in how many other orders of their functions (-randlayout) both variants are linked for the second stage; 1 keeps to the linker's own order",
		To:   func(s *Spec) any { return &s.Layouts }},
	{Name: "answers.volatile", Group: OfTest, For: measured,
		Help: "the bodies of answers differ by nature: compare only status, header and length",
		To:   func(s *Spec) any { return &s.Answers.Volatile }},
	{Name: "answers.may-differ", Group: OfTest, For: ForCompare | ForBisect | ForTrack,
		Help: "compare also variants that answer the same requests differently (otherwise invalid, exit 4),\nor that do less work besides answering (otherwise undecided, exit 8)",
		To:   func(s *Spec) any { return &s.Answers.Allow }},
}
