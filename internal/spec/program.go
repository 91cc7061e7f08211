package spec

import (
	"time"

	"github.com/gohone/hone/internal/program/build"
	"github.com/gohone/hone/internal/program/needs"
	"github.com/gohone/hone/internal/program/subject"
	"github.com/gohone/hone/internal/sys/cgroup"
)

// Program is how the programs are built and started. The packages themselves are the words of the command line.
type Program struct {
	// Variants are what the packages of the command line come to, with the options for them: one makes a run, more a
	// comparison of each with the first. Args are for all of them, after their own.
	Variants []build.Variant `json:"-"`
	Args     []string        `json:"-"`
	// PlanName is that of a plan in hone.yaml.
	PlanName string `json:"-"`
	// Options are for all variants, or for one.
	Options build.VariantOptions `json:"-"`
	// Allow are the kinds of things besides code that a patch may touch (package touches).
	Allow []string `json:"-"`
	// KeepEnv stores and prints the values of the variants' environment as they are.
	KeepEnv bool `json:"keep_env,omitempty"`
	// Dir is the directory that all variants run in. Empty: the method of measurement says.
	Dir string `json:"dir,omitempty"`
	// Ready is what a program has to do before it is ready, besides listening, as subject.ParseReady reads it; empty:
	// nothing.
	Ready string `json:"ready,omitempty"`
	// ReadyTimeout bounds the start of a program.
	ReadyTimeout time.Duration `json:"ready_timeout_ns,omitempty"`
	// AfterStart is a command in one word. Each variant has it in words, or that of hone.yaml.
	AfterStart string `json:"-"`
	// AfterStartLimit is how long that may take; 0 takes that of package subject.
	AfterStartLimit time.Duration `json:"after_start_limit_ns,omitempty"`
	// Copy are files and directories that each start gets fresh, in a directory of its own that it runs in: see
	// subject.Copies. They are taken from Dir, or else from CopyFrom, and of a variant at a git ref from its checkout.
	Copy []string `json:"copy,omitempty"`
	// CopyFrom is absolute; empty is where hone runs.
	CopyFrom string `json:"copy_from,omitempty"`
	// Needs are started before the programs.
	Needs     []needs.Need `json:"needs,omitempty"`
	NeedWords NeedWords    `json:"-"`
	// Grace is the time between SIGTERM and SIGKILL; 0 takes that of package subject.
	Grace time.Duration `json:"grace_ns,omitempty"`
	// Box is what each start may use of CPU time and memory, in a control group of its own; zero: all of the machine.
	Box cgroup.Limits `json:"box,omitzero"`
	// CPULimit and MemoryLimit are the words for Box, quantities of Kubernetes.
	CPULimit    string `json:"-"`
	MemoryLimit string `json:"-"`
	// Like is a Kubernetes manifest, FILE or FILE:CONTAINER, whose limits and environment hold unless they are given.
	Like string `json:"-"`
	// NoIsolate rules network namespaces out: a program in one of its own cannot reach other servers on this machine,
	// such as its database.
	NoIsolate bool `json:"no_isolate,omitempty"`
	// Notes are what there is to say of the request, for every run.
	Notes []string `json:"-"`
}

// NeedWords are programs that are started before the subject, as the user words them.
type NeedWords struct {
	Commands []string // NAME=COMMAND
	Ready    []string // NAME=READY
	Each     []string
}

const everyVariant = build.EveryVariant

var programRows = []Row{
	{Name: "env", Group: OfProgram, For: measured | ForAdvise | benches | ForReach, Flag: always, Is: First | PerVariant | Once,
		Help: "`KEY=VALUE` for build and program, or B:KEY=VALUE for one variant (repeatable)\n{port}, {port2}, {socket} and {dir} are filled in.",
		To:   func(s *Spec) any { return &s.Options.Env }},
	{Name: "flags", Group: OfProgram, For: measured | benches | ForReach, Flag: always, Is: First | PerVariant | Once,
		Help: "`FLAG` for the build by go: -tags=x, -race, or B:-tags=x (repeatable)",
		To:   func(s *Spec) any { return &s.Options.Flags }},
	{Name: "toolchain", Group: OfProgram, For: measured | benches | ForReach, Flag: always, Is: PerVariant | Once,
		Help: "`RELEASE` of Go for the build: go1.25.5, or A=go1.25.5,B=go1.26.0",
		To:   func(s *Spec) any { return &s.Options.Toolchain }},
	{Name: "allow", Group: OfProgram, For: ForRun | ForCompare | ForBench, Flag: always, Is: NotInPlans | Once | Commas,
		Help: "`KINDS` of things besides code that a patch may touch: tests, go.mod, unsafe, ... (default: none)",
		To:   func(s *Spec) any { return &s.Allow }},
	{Name: "work-dir", Group: OfProgram, For: measured, Flag: always, Is: NotInPlans | Once,
		Help: "`DIRECTORY` that all variants run in (default: this one)\nA variant at a git ref runs in its own checkout without it.",
		To:   func(s *Spec) any { return &s.Dir }},
	{Name: "ready", Group: OfProgram, For: measured, Flag: always, Is: First,
		Help: "the program is ready when `READY` holds: http:/PATH, port:PORT, file:PATH, log:REGEX\nhttp:/PATH answers with 2xx, http:204:/PATH with 204; socket:PATH takes connections; log:REGEX matches a line of the output (default: it listens).",
		To:   func(s *Spec) any { return &s.Ready }},
	{Name: "ready.timeout", Group: OfProgram, For: measured, Default: "15s",
		Help: "how long a program may take until it is ready",
		To:   func(s *Spec) any { return &s.ReadyTimeout }},
	{Name: "after-start", Group: OfProgram, For: measured, Flag: always,
		Help: "`COMMAND` to run after each start, to add data or to log in, without a shell\n{port} and {dir} are filled in; HONE_ADDRESS, HONE_PORT, HONE_SOCKET and HONE_DIR are in its environment.",
		To:   func(s *Spec) any { return &s.AfterStart }},
	{Name: "after-start.timeout", Group: OfProgram, For: measured, Default: subject.DefaultAfterStartLimit.String(),
		Help: "how long the command of --after-start may take",
		To:   func(s *Spec) any { return &s.AfterStartLimit }},
	{Name: "need", Group: OfProgram, For: measured, Flag: always, Is: First,
		Help: "`NAME=COMMAND` to start before the program, such as db='postgres -D {dir} -p {port}'\nNo shell runs it (repeatable). In what starts later, {NAME.port}, {NAME.socket} and {NAME.dir} stand for its own. hone ends it.",
		To:   func(s *Spec) any { return &s.NeedWords.Commands }},
	{Name: "need.ready", Group: OfProgram, For: measured,
		Help: "`NAME=READY`: when that program is ready, as --ready (default: when it listens)",
		To:   func(s *Spec) any { return &s.NeedWords.Ready }},
	{Name: "need.each", Group: OfProgram, For: measured, Is: Commas,
		Help: "`NAME` of a need that starts afresh for each start of a variant (default: one serves all)",
		To:   func(s *Spec) any { return &s.NeedWords.Each }},
	{Name: "cpus", Group: OfProgram, For: measured, Flag: always, Is: First,
		Help: "`NUMBER` of CPUs that the program may use, as the limit of a container: 0.5, 500m\nIt gets so much CPU time in each 100 ms, in a control group of its own, and sees all CPUs.",
		To:   func(s *Spec) any { return &s.CPULimit }},
	{Name: "memory", Group: OfProgram, For: measured, Flag: always, Is: First,
		Help: "`SIZE` of the memory that the program may use, as the limit of a container: 256Mi\nThe kernel kills it beyond that.",
		To:   func(s *Spec) any { return &s.MemoryLimit }},
	{Name: "like", Group: OfProgram, For: measured, Flag: always, Is: First,
		Help: "`FILE` of a Kubernetes manifest, or FILE:CONTAINER: its limits and env are those of the program\n--cpus, --memory and --env beat it.",
		To:   func(s *Spec) any { return &s.Like }},
	{Name: "plan", Group: OfProgram, For: measured, Flag: always, Is: First | NotInPlans,
		Help: "`NAME` of a plan in hone.yaml (default: the plan named default)\nIts options hold unless they are given here.",
		To:   func(s *Spec) any { return &s.PlanName }},
	{Name: "copy", Group: OfProgram, For: measured, Is: NotInPlans,
		Help: "`PATH` of a file or directory to copy before each start into a new directory ({dir}), in which the program runs;\nrelative to --work-dir or this directory (repeatable)",
		To:   func(s *Spec) any { return &s.Copy }},
	{Name: "no-inject", Group: OfProgram, For: measured, Is: PerVariant | Once,
		Help: "build without the probe: no profiles, no allocation counts; no-inject=A for variant A only",
		To:   func(s *Spec) any { return &s.Options.NoInject }},
	{Name: "no-isolate", Group: OfProgram, For: measured,
		Help: "use no network namespaces: variants with the same fixed port run one after the other;\nfor programs that need other servers on this machine",
		To:   func(s *Spec) any { return &s.NoIsolate }},
	{Name: "keep-env", Group: OfProgram, For: measured | ForAdvise, Is: Once,
		Help: "store and print secrets in the values of --env as they are; by default hone stores a keyed hash\nof a value that may be a secret, by its name or its form",
		To:   func(s *Spec) any { return &s.KeepEnv }},
	{Name: "grace", Group: OfProgram, For: measured, Is: Once, Default: "5s", Help: "time between SIGTERM and SIGKILL",
		To: func(s *Spec) any { return &s.Grace }},
}
