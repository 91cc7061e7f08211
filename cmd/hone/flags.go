package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"os"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/gohone/hone/internal/fail"
	"github.com/gohone/hone/internal/lab"
	"github.com/gohone/hone/internal/ledger"
	"github.com/gohone/hone/internal/report"
	"github.com/gohone/hone/internal/subject"
	"github.com/gohone/hone/internal/threshold"
)

// measureFlags are the flags that run and compare share.
type measureFlags struct {
	request   lab.Request
	toolchain string
	flags     []string
	env       []string
	noInject  bool
	noProfile bool
	// prepare holds the commands of hone.yaml that come before the builds, by variant.
	prepare  [][]string
	protocol protocolFlags
	rate     string
	ledger   string
	json     bool
	quiet    bool
}

// add declares the flags that both have with the same meaning.
func (f *measureFlags) add(cmd *cobra.Command) {
	r, fl := &f.request, cmd.Flags()
	fl.StringVar(&r.Target, "target", "", "URL to load, for example framed://127.0.0.1:{port} or http://127.0.0.1:{port}/path;\nwithout it hone finds the port the program opens and takes it to speak HTTP")
	fl.IntVarP(&r.Plan.Connections, "connections", "c", 10, "connections held open")
	fl.IntVar(&r.Plan.Depth, "depth", 1, "requests outstanding on each connection")
	fl.StringVarP(&f.rate, "rate", "q", "", "open loop: requests per second over all connections (1000, 1k, 50/1s);\nlatency is then response time (default: a closed loop)")
	fl.DurationVar(&r.Plan.Timeout, "timeout", 2*time.Second, "how long a connection may stay silent with requests outstanding")
	fl.DurationVar(&r.ProfileTime, "profile-time", 2*time.Second, "length of the CPU profile of each variant")
	fl.BoolVar(&f.noProfile, "no-profile", false, "take no profiles")
	fl.DurationVar(&r.ReadyTimeout, "ready-timeout", 15*time.Second, "how long a program may take to listen")
	fl.DurationVar(&r.Grace, "grace", 5*time.Second, "time between SIGTERM and SIGKILL")
	f.protocol.add(fl)
	fl.StringVar(&f.toolchain, "toolchain", "", "GOTOOLCHAIN for the build (go1.25.5)")
	fl.StringArrayVar(&f.flags, "flags", nil, "flag for go build (repeatable)")
	fl.StringArrayVar(&f.env, "env", nil, "KEY=VALUE for build and program (repeatable; {port} is filled in)")
	fl.BoolVar(&f.noInject, "no-inject", false, "build without the probe: no profiles, no allocation counts")
	fl.Uint64Var(&f.request.Seed, "seed", 0, "seed of the random order; 0 draws one")
	fl.String("plan", "", "`NAME` of a plan in hone.yaml, whose flags hold where none is given here (default default)")
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

// resolve makes the words of a command line variants and gives each the shared options,
// which come before what a word says itself and after what hone.yaml says.
func (f *measureFlags) resolve(use *fromFile) ([]subject.Variant, error) {
	var all []subject.Variant
	var faults []error
	f.prepare = nil
	for i, word := range use.words {
		letter := string(rune('A' + i))
		if v, ok := use.named[word]; ok {
			all, f.prepare = append(all, f.over(v.Variant, letter)), append(f.prepare, v.Prepare)
			continue
		}
		v, err := subject.ParseVariant(letter, word)
		if err != nil {
			faults = append(faults, err)
			continue
		}
		v.Toolchain, v.BuildFlags, v.NoInject = f.toolchain, f.flags, f.noInject
		v.Env = append(slices.Clone(f.env), v.Env...) // its own come last and win
		all, f.prepare = append(all, v), append(f.prepare, nil)
	}
	return all, errors.Join(faults...)
}

// over lays the shared options over a variant of hone.yaml.
func (f *measureFlags) over(v subject.Variant, letter string) subject.Variant {
	v.Name, v.NoInject = letter, f.noInject
	v.Toolchain = cmp.Or(f.toolchain, v.Toolchain)
	v.BuildFlags = slices.Concat(v.BuildFlags, f.flags)
	v.Env = slices.Concat(v.Env, f.env)
	return v
}

// finish completes the request from the flags that need work.
func (f *measureFlags) finish() error {
	if f.noProfile {
		f.request.ProfileTime = 0
	}
	if f.request.Seed == 0 {
		f.request.Seed = rand.Uint64() >> 11 // 53 bits: exact in every JSON reader
	}
	var err error
	if f.rate != "" {
		if f.request.RateHz, err = threshold.ParseRate(f.rate); err != nil {
			return err
		}
	}
	f.request.Protocol, err = f.protocol.resolve(f.request.Target)
	return err
}

// measureWords measures the packages of a command line, at least and at most so many, or
// what hone.yaml has in their place, and gives all of them what stands behind --.
func (a *app) measureWords(f *measureFlags, cmd *cobra.Command, args []string, least, most int) (*lab.Outcome, error) {
	words, rest := splitAtDash(cmd, args)
	use, err := a.useFile(cmd, words, least)
	if err != nil {
		return nil, err
	}
	if err := wantVariants(cmd, use.words, least, most); err != nil {
		return nil, err
	}
	if f.request.Variants, err = f.resolve(use); err != nil {
		return nil, err
	}
	f.request.Args = rest
	return a.measure(f)
}

// measure opens the ledger, carries out the request and closes the ledger again.
func (a *app) measure(f *measureFlags) (*lab.Outcome, error) {
	if err := f.finish(); err != nil {
		return nil, err
	}
	guard, err := guardArgv()
	if err != nil {
		return nil, err
	}
	dir, err := os.Getwd()
	if err != nil {
		return nil, fail.New(fail.Environment, "find working directory: %w", err)
	}
	if err := a.prepareSources(f, dir); err != nil {
		return nil, err
	}
	store, err := ledger.Open(f.ledger)
	if err != nil {
		return nil, err
	}
	progress := report.NewProgress(a.stderr, isTerminal(a.stderr), f.quiet)
	l := &lab.Lab{
		Ledger: store, Guard: guard, WorkDir: dir, Progress: progress, Hard: a.hard, Version: version(),
	}
	out, err := l.Measure(a.ctx, f.request)
	progress.Clear()
	return out, errors.Join(err, store.Close())
}

// isTerminal says whether w is a character device.
func isTerminal(w any) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// printJSON writes v with indentation to stdout.
func (a *app) printJSON(v any) error {
	enc := json.NewEncoder(a.stdout)
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}
