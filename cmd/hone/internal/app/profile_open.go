package app

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/gohone/hone/internal/program/build"
	"github.com/gohone/hone/internal/program/sources"
	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/inputs"
	"github.com/gohone/hone/prof"
)

// Profiled is what the profiles of a run, or of one file, are of.
type Profiled struct {
	Name string
	// Captures are by kind, those of a kind in the order in which they were taken.
	Captures map[string][]prof.Capture
	// kinds are all that a run has, also those that were not asked for.
	kinds []string
	// Record is the run's document; nil for a file.
	Record *record.Run
	// Own says that the run is the user's own, or trusted.
	Own bool
}

// OpenProfiles reads the profiles of the kinds that are asked for: of a file the one that
// is in it, of a run those that the ledger has. Of a kind that is not there, all and one say so.
func (a *App) OpenProfiles(f *spec.Spec, name string, kinds ...string) (*Profiled, error) {
	file, err := inputs.Profile.Open(name)
	switch {
	case err == nil:
		defer file.Close()
		c, err := readForeign(name, file)
		if err != nil {
			return nil, err
		}
		p := &Profiled{Name: filepath.Base(name), Captures: map[string][]prof.Capture{c.Kind: {c}}}
		return p, p.pick(f.Profile.Cohort)
	case !errors.Is(err, fs.ErrNotExist):
		return nil, fail.New(fail.Or(fail.BadInput, err), "open profile %w", err)
	}
	if strings.ContainsAny(name, "./") { // no run has such a name
		return nil, fail.New(fail.BadInput, "open profile %s: no such file, and no run has such a name", name).
			WithHint("hone history lists the runs")
	}
	l, err := a.ReadLedger(f.Ledger)
	if err != nil {
		return nil, err
	}
	defer l.Close()
	p, err := a.ReadProfiles(l, name, kinds)
	if err != nil {
		return nil, err
	}
	return p, p.pick(f.Profile.Cohort)
}

// pick leaves one cohort of requests in wait profiles; the empty name is that of the usual one.
func (p *Profiled) pick(cohort string) error {
	for i, c := range p.Captures[prof.WaitKind] {
		one, err := c.Cohort(cohort)
		if err != nil {
			return fail.New(fail.BadInput, "%s: %w", p.Name, err)
		}
		p.Captures[prof.WaitKind][i] = one
	}
	if cohort != "" && len(p.Captures) > 0 && len(p.Captures[prof.WaitKind]) == 0 {
		return fail.New(fail.BadInput,
			"--cohort chooses the requests of a wait profile, and this is of another kind").WithHint("--kind wait")
	}
	return nil
}

func (a *App) ReadProfiles(l *ledger.Ledger, name string, kinds []string) (*Profiled, error) {
	lib := a.Library(l).Stored
	r, err := lib.Run(name)
	if err != nil {
		return nil, err
	}
	p := &Profiled{Name: "run " + r.Row.ID, Record: &r.Record, Own: a.isOwn(l, RunRef(r.Row.ID))}
	p.Captures, p.kinds, err = lib.Captures(r.Row.ID, kinds...)
	return p, err
}

func orNone(names []string) string {
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(names, ", ")
}

// All are the captures of the wanted kind, or of the only one that a file has.
func (p *Profiled) All(kind string) ([]prof.Capture, error) {
	if p.Record == nil {
		for _, of := range p.Captures {
			return of, nil
		}
	}
	if len(p.Captures[kind]) == 0 {
		return nil, fail.New(fail.BadInput, "%s has no %s profile; it has %s", p.Name, kind, orNone(p.kinds)).
			WithHint("%s", WhyNone(kind))
	}
	return p.Captures[kind], nil
}

// WhyNone says which runs have no profile of a kind.
func WhyNone(kind string) string {
	if kind == prof.WaitKind {
		return "runs with --set no-trace, --no-profile or --set no-inject have none, nor have interrupted runs and runs of " +
			"hone --once"
	}
	return "runs with --no-profile or --set no-inject have none, nor have interrupted runs"
}

// One is what all returns, added up.
func (p *Profiled) One(kind string) (prof.Capture, error) {
	all, err := p.All(kind)
	if err != nil {
		return prof.Capture{}, err
	}
	c, err := prof.MergeCaptures(all)
	if err != nil {
		return c, fail.New(fail.BadInput, "%s: %w", p.Name, err)
	}
	return c, nil
}

// Module is the main module of the program, as far as it is known.
func (p *Profiled) Module() string {
	if p.Record == nil {
		return ""
	}
	return p.Record.Binary.Module
}

// Code is the user's own, as far as it is known.
func (p *Profiled) Code() prof.Code {
	if p.Record == nil {
		return prof.Code{}
	}
	return prof.Code{Module: p.Record.Binary.Module, MainPackage: p.Record.Binary.Package}
}

// Sources finds the source of the program. Where it is not known what the profile is of, that
// is the module of the working directory, and the notice says so.
func (p *Profiled) Sources(a *App) (from prof.Sources, notice string) {
	here, err := os.Getwd()
	if err != nil {
		here = "."
	}
	if p.Record != nil && p.Record.Binary.Module != "" {
		return a.sourcesOf(p.Record.Binary, here, p.Own), ""
	}
	functions := map[string]string{}
	for _, captures := range p.Captures {
		for _, c := range captures {
			for _, f := range c.Profile.Function {
				functions[f.Name] = f.Filename
			}
		}
	}
	program, root, ok := sources.Guess(here, functions)
	switch {
	case !ok:
		notice = fmt.Sprintf("%s does not name its program, and none of its functions belongs to the module of %s: run "+
			"this in the directory of its source", p.Name, here)
	case p.Record != nil && p.Record.Binary.Commit != "" && !p.Record.Binary.Dirty:
		program.Commit = p.Record.Binary.Commit
		notice = fmt.Sprintf("source is that of commit %.12s in %s; if it is not there, that of the directory, which may "+
			"differ", program.Commit, root)
	default:
		notice = fmt.Sprintf("source is that of %s (module %s), which may differ from what was profiled", root,
			program.Module)
	}
	return sources.New(a.Ctx, program, here), notice
}

// sourcesOf finds the source of a program that hone built; here is a directory of its present checkout. own says that
// the user's own hone did, so that the directory that the run names is the user's, too. Programs of one source have one
// finder, since each asks the go command and git once.
func (a *App) sourcesOf(b build.Binary, here string, own bool) prof.Sources {
	type key struct {
		sources.Program
		here string
	}
	k := key{sources.Program{
		Module: b.Module, ModuleDir: sources.ModuleDir(b.Dir, b.Package, b.Module), Own: own, GoVersion: b.GoVersion,
		Commit: b.Commit, Dirty: b.Dirty,
	}, here}
	finder, known := a.finders.Load(k)
	if !known {
		finder, _ = a.finders.LoadOrStore(k, sources.New(a.Ctx, k.Program, here))
	}
	return finder.(prof.Sources)
}

// Title names what a picture shows.
func (p *Profiled) Title(what string) string {
	if p.Record == nil || p.Record.Label == "" {
		return fmt.Sprintf("%s of %s", what, p.Name)
	}
	return fmt.Sprintf("%s of %s, %s", what, p.Name, p.Record.Label)
}
