package main

import (
	"cmp"
	"errors"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/gohone/hone/internal/cli"
	"github.com/gohone/hone/internal/compare"
	"github.com/gohone/hone/internal/fail"
	"github.com/gohone/hone/internal/lab"
	"github.com/gohone/hone/internal/limit"
	"github.com/gohone/hone/internal/metrics"
	"github.com/gohone/hone/internal/redact"
	"github.com/gohone/hone/internal/subject"
	"github.com/gohone/hone/internal/wire"
)

// measureFlags are the flags that run and compare share.
type measureFlags struct {
	request   lab.Request
	options   subject.Options // for all variants, or for one
	gates     []string
	noProfile bool
	// built are programs that need not be built again.
	built []*subject.Binary
	// afterStart is the command for all variants, in one word.
	afterStart string
	needs      needFlags
	load       loadCommandFlags
	mix        mixFlags
	protocol   protocolFlags
	rate       string
	agents     string // who loads; empty: this process
	link       linkFlags
	ledger     string
	json       bool
	markdown   bool
	quiet      bool
	noReport   bool
	twice      bool // compares what the command line names with itself
	stored     bool // the request is that of a stored run, and complete
}

// add declares the flags that both have with the same meaning.
func (f *measureFlags) add(cmd *cobra.Command) {
	r, fl := &f.request, cmd.Flags()
	fl.StringVar(&r.Target, "target", "", "URL to load, for example framed://127.0.0.1:{port}, http://127.0.0.1:{port}/path or unix:{socket}:/path;\nwithout it hone finds the program's port and protocol; if no argument has {port}, {port} is the port that hone finds")
	fl.StringVar(&r.Path, "path", "", "`PATH` to load on the port that hone finds, or in place of the target's: /items?page=2")
	fl.IntVarP(&r.Plan.Connections, "connections", "c", 10, "connections held open")
	fl.IntVar(&r.Plan.Depth, "depth", 1, "requests outstanding on each connection")
	fl.StringVarP(&f.rate, "rate", "q", "", "open loop: requests per second over all connections (1000, 1k, 50/1s);\nlatency is then response time (default: a closed loop)")
	fl.DurationVar(&r.Plan.Timeout, "timeout", 2*time.Second, "how long a connection may stay silent with requests outstanding")
	fl.DurationVar(&r.ProfileTime, "profile-time", 2*time.Second, "length of the CPU profile of each variant")
	fl.IntVar(&r.ProfileRate, "profile-rate", 0, "ticks per second of CPU time in the CPU profile, up to 10000 (default 100);\nwith a rate other than 100 the runtime writes a harmless warning to the program's stderr")
	fl.DurationVar(&r.TraceTime, "trace", 0, "length of an execution trace of each variant, up to 60s, for go tool trace (default: none)")
	fl.DurationVar(&r.FlightTime, "flight", 0, "load each variant for this time more, with the flight recorder on, and keep the execution\ntrace around its slowest answer, for go tool trace (Go 1.25; default: off)")
	fl.BoolVar(&r.NoTrace, "no-trace", false, "take no execution trace with the profiles: hone then does not say what requests wait for")
	fl.BoolVar(&f.noProfile, "no-profile", false, "take no profiles")
	fl.StringVar(&f.afterStart, "after-start", "", "`COMMAND` to run once after each start, when the program is ready, to add data or to log in; no shell.\n{port} and {dir} are filled in; HONE_ADDRESS, HONE_PORT, HONE_SOCKET and HONE_DIR are in its environment")
	f.addReady(fl)
	f.load.add(fl)
	f.mix.add(fl)
	fl.DurationVar(&r.Grace, "grace", 5*time.Second, "time between SIGTERM and SIGKILL")
	fl.StringVar(&r.Metrics.Page, "metrics", "", "`URL` where the program serves metrics for Prometheus, {port} filled in; \"none\" records no time series\n(default: hone asks the program's ports for /metrics)")
	fl.DurationVar(&r.Metrics.Interval, "metrics-interval", metrics.DefaultInterval, "time between two scrapes; in a comparison the program's own page is scraped\nbefore and after the slices of each start only")
	f.protocol.add(fl)
	fl.StringVar(&f.options.Toolchain, "toolchain", "", "GOTOOLCHAIN for the build: go1.25.5, or A=go1.25.5,B=go1.26.0")
	fl.StringArrayVar(&f.options.Flags, "flags", nil, "flag for go build, -tags=x, or B:-tags=x for one variant (repeatable)")
	fl.StringArrayVar(&f.options.Env, "env", nil, "KEY=VALUE for build and program, or B:KEY=VALUE for one variant\n(repeatable; {port}, {port2}, {socket} and {dir} are filled in)")
	fl.BoolVar(&f.request.KeepEnv, "keep-env", false, "store and print secrets in the values of --env; by default a value that may be\na secret, by its name or its look, becomes a keyed hash")
	fl.StringVar(&f.options.NoInject, "no-inject", "", "build without the probe: no profiles, no allocation counts; --no-inject=A for variant A only")
	fl.Lookup("no-inject").NoOptDefVal = subject.EveryVariant
	fl.StringVar(&f.request.Dir, "work-dir", "", "`DIRECTORY` that all variants run in (default: this one; a variant at a git ref runs in its own checkout)")
	fl.Uint64Var(&f.request.Seed, "seed", 0, "seed of the random order; 0 draws one")
	fl.String("plan", "", "`NAME` of a plan in hone.yaml; its flags hold unless they are given here (default: the plan named default)")
	fl.BoolVar(&f.noReport, "no-report", false, "write no report at the end (see hone report)")
	fl.StringVar(&f.agents, "agents", "", "load from agents (hone agent) in place of this process: `CHOICE` all, n=4, or labels and a number such as zone=a,n=2")
	f.link.add(fl)
	f.link.addListen(fl)
	f.addOutput(cmd)
}

// addOutput declares the flags of commands that only read the ledger, too.
func (f *measureFlags) addOutput(cmd *cobra.Command) {
	fl := cmd.Flags()
	fl.StringVar(&f.ledger, "ledger", ".hone", "directory of the ledger")
	fl.BoolVar(&f.json, "json", false, "print JSON with a schema version")
	fl.BoolVar(&f.quiet, "quiet", false, "no progress on stderr")
}

// variants parses variants that hone.yaml has no part in.
func (f *measureFlags) variants(words []string) ([]subject.Variant, error) {
	return f.resolve(&fromFile{words: words})
}

// resolve makes the words of a command line variants and gives each its options. What
// hone.yaml says of a variant is weaker than any option.
func (f *measureFlags) resolve(use *fromFile) ([]subject.Variant, error) {
	var all, inFile []subject.Variant
	var names []string
	var faults []error
	for i, word := range use.words {
		letter := string(rune('A' + i))
		if v, ok := use.named[word]; ok {
			bare := v.Variant
			bare.Name, bare.Toolchain, bare.BuildFlags, bare.Env = letter, "", nil, nil
			all, inFile, names = append(all, bare), append(inFile, v.Variant), append(names, word)
			continue
		}
		v, err := subject.ParseVariant(letter, word)
		if err != nil {
			faults = append(faults, err)
			continue
		}
		all, inFile, names = append(all, v), append(inFile, subject.Variant{}), append(names, "")
	}
	if err := errors.Join(faults...); err != nil {
		return nil, err
	}
	all, err := f.options.Apply(all, names)
	if err != nil {
		return nil, err
	}
	after, err := subject.SplitCommand(f.afterStart)
	if err != nil {
		return nil, fail.New(fail.BadInput, "--after-start: %w", err)
	}
	for i := range all {
		v, file := &all[i], inFile[i]
		if len(after) > 0 {
			v.AfterStart = after
		}
		v.Toolchain = cmp.Or(v.Toolchain, file.Toolchain)
		v.BuildFlags = slices.Concat(file.BuildFlags, v.BuildFlags)
		v.Env = slices.Concat(file.Env, v.Env)
	}
	return all, nil
}

// finish completes the request from the flags that need work.
func (f *measureFlags) finish() error {
	if f.noProfile {
		f.request.ProfileTime = 0
	}
	if f.request.Metrics.Page == "none" {
		f.request.Metrics.Page, f.request.Metrics.Off = "", true
	}
	f.request.Seed = cmp.Or(f.request.Seed, newSeed())
	if f.stored {
		return nil
	}
	var err error
	if f.rate != "" {
		if f.request.RateHz, err = limit.ParseRate(f.rate); err != nil {
			return err
		}
	}
	if f.request.Gates, err = each(f.gates, compare.ParseGate); err != nil {
		return err
	}
	for _, g := range f.request.Gates { // what is limited has to be measured
		f.protocol.options.Streams.All = f.protocol.options.Streams.All || g.Measure.OfStreams()
	}
	if f.request.Protocol, err = f.protocol.resolve(f.request.Target); err != nil {
		return err
	}
	if f.request.Protocol, err = f.mix.resolve(f.request.Protocol); err != nil {
		return err
	}
	f.request.Load, err = f.load.resolve(f.request.Protocol)
	return err
}

// newSeed draws a seed of 53 bits: exact in every JSON reader.
func newSeed() uint64 { return rand.Uint64() >> 11 }

// measureWords measures the packages of a command line, at least and at most so many, or
// what hone.yaml has in their place, and gives all of them what stands behind --.
func (a *app) measureWords(f *measureFlags, cmd *cobra.Command, args []string, least, most int) (*lab.Outcome, error) {
	if _, err := a.readWords(f, cmd, args, least, most); err != nil {
		return nil, err
	}
	return a.measure(f)
}

// readWords makes the request of what measureWords is to measure, up to what finish adds.
func (a *app) readWords(f *measureFlags, cmd *cobra.Command, args []string, least, most int) (*fromFile, error) {
	words, rest := splitAtDash(cmd, args)
	words, err := a.expand(words, most)
	if err != nil {
		return nil, err
	}
	use, err := a.useFile(cmd, words, least)
	if err != nil {
		return nil, err
	}
	var steps []wire.Step
	if use.file != nil && len(use.named) > 0 {
		steps = use.file.Sequence()
	}
	if err := a.takeRequests(f, steps); err != nil {
		return nil, err
	}
	if err := wantVariants(cmd, use.words, least, most); err != nil {
		return nil, err
	}
	if f.twice {
		use.words = slices.Concat(use.words, use.words)
	}
	if f.request.Variants, err = f.resolve(use); err != nil {
		return nil, err
	}
	f.request.Args, f.request.Command = rest, commandLine(cmd, a.args)
	here, err := workDir()
	if err != nil {
		return nil, err
	}
	if f.request.Needs, err = f.needs.resolve(here); err != nil {
		return nil, err
	}
	if use.file == nil || len(use.named) == 0 {
		return use, nil
	}
	if f.request.Needs == nil {
		f.request.Needs = use.file.Needs(use.file.Dir)
	}
	if f.request.Copy == nil {
		f.request.Copy, f.request.CopyFrom = use.file.Copies(), use.file.Dir
	}
	return use, nil
}

// title is what a measurement is of, for the panels.
func (f *measureFlags) title() string { return titleOf(f.request.Variants) }

func titleOf(variants []subject.Variant) string {
	var names []string
	for _, v := range variants {
		name := strings.Join(append([]string{v.Source}, redact.Args(v.Args)...), " ")
		if len(variants) > 1 {
			name = v.Name + ": " + name
		}
		names = append(names, name)
	}
	return strings.Join(names, "   ")
}

// print writes what a command found, as JSON or as text.
func (a *app) print(asJSON bool, document any, text func(io.Writer) error) error {
	if asJSON {
		return a.printJSON(document)
	}
	return text(a.stdout)
}

// printJSON writes v with indentation to stdout.
func (a *app) printJSON(v any) error { return cli.JSON(a.stdout, v) }
