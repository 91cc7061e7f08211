package service

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gohone/hone/internal/conduct/lab"
	"github.com/gohone/hone/internal/program/build"
	"github.com/gohone/hone/internal/program/output"
	"github.com/gohone/hone/internal/program/reach"
	"github.com/gohone/hone/internal/program/routes"
	"github.com/gohone/hone/internal/program/source"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/wire/vary"
)

const (
	// reachBudget is the least budget of a comparison that finds out what its load executes: a shorter one has no time
	// for two starts more.
	reachBudget = 10 * time.Second
	// reachLoad is how long each variant is loaded for it.
	reachLoad = time.Second
	// fewAnswers is how many answers to one request show what it executes, manyAnswers how many to a mix.
	fewAnswers, manyAnswers = 20, 1000
)

// findReach finds which of the functions that differ between a program's versions the load executes: both are built
// once more with coverage counters, and loaded for a moment. Where nothing that differs is executed, one start of each
// is enough. What goes wrong is said, and nothing else depends on it.
func (m *services) findReach(ctx context.Context) {
	if !m.asksForReach() {
		return
	}
	m.Progress.Phase("find out what the load executes of the change", 0)
	nothing, err := m.reach(ctx)
	if err = errors.Join(err, m.stop()); err != nil {
		m.Reach = nil
		if ctx.Err() == nil {
			first, _, _ := strings.Cut(err.Error(), "\n")
			m.Progress.Warn("not known what the load executes of the change: " + first)
		}
		return
	}
	if nothing {
		m.Unreached, m.Question.Most = true, 1
		if hint := otherRoutes(m.sides[1].Binary, m.Task.Target+m.Task.Path, m.Reach.Functions); hint != "" {
			m.Progress.Warn(hint)
		}
	}
}

// mostRoutes is how many routes a hint names.
const mostRoutes = 5

// otherRoutes says which routes of a program's source, besides those that are loaded, lead to a function that changed,
// and which others there are where none does; empty where no function has changed, or there are no others.
func otherRoutes(b *build.Binary, loaded string, changed []reach.Function) string {
	found := routes.In(routes.Program{Dir: b.Dir, Package: b.Package, Module: b.Module})
	var names []string
	for _, f := range changed {
		names = append(names, f.Name)
	}
	others := func(paths []string) []string {
		return slices.DeleteFunc(routes.Harmless(paths), func(path string) bool { return strings.HasSuffix(loaded, path) })
	}
	paths, may := others(found.Leading(names)), "lead to what changed, by the names in the source"
	if len(paths) == 0 {
		paths, may = others(found.Paths), "may"
	}
	if len(paths) == 0 || len(changed) == 0 {
		return ""
	}
	return "the load executes nothing that changed; other routes of the source " + may + ": --path " +
		strings.Join(paths[:min(len(paths), mostRoutes)], ", --path ")
}

// asksForReach says whether the variants are two versions of one program, and there is time.
func (m *services) asksForReach() bool {
	if len(m.sides) != 2 || m.SameSource || m.Task.Unreached || m.Task.Calibrate || m.Task.Budget < reachBudget ||
		!m.Task.OwnEngine() {
		return false
	}
	a, b := m.sides[0], m.sides[1]
	versions := a.Binary.Variant.Source != b.Binary.Variant.Source && a.Binary.Version()+b.Binary.Version() != ""
	return versions && a.Digest == "" && b.Digest == "" && a.Binary.Package == b.Binary.Package &&
		a.Binary.GoVersion == b.Binary.GoVersion
}

// reach fills m.Reach. nothing says that the load sees nothing of what differs: it had enough answers to show what it
// executes, and executes nothing that differs, neither under load nor at the start, but for what is known to fill
// variables alone that nothing uses; the variants are started alike, and read no file that differs.
func (m *services) reach(ctx context.Context) (nothing bool, err error) {
	var both [2]reach.Side
	for i, v := range m.sides {
		both[i] = compiledAs(v.Binary)
	}
	var change *reach.Change
	err = m.onAllCPUs(func() error {
		change, err = reach.Program(ctx, both)
		return err
	})
	if err != nil {
		return false, err
	}
	files, err := m.filesThatDiffer(ctx)
	if err != nil {
		return false, err
	}
	start, loaded := change.Run(reach.Start, ""), change.Run(reach.Load, "")
	enough, starts := true, change.StartsIn()
	var memory [2]int
	if len(change.Counted(0))+len(change.Counted(1))+len(files.names)+len(starts) > 0 {
		for i, v := range m.sides {
			c, err := m.observe(ctx, i, both[i], change.Counted(i), files)
			if err != nil {
				return false, fmt.Errorf("find what %s executes: %w", v.Letter, err)
			}
			start.Counters[i], loaded.Counters[i], enough = c.start, c.load, enough && c.enough
			if len(starts) > 0 {
				memory[i], err = reach.StartMemory(c.stderr, starts)
				enough = enough && err == nil
			}
		}
	}
	m.Reach = change.Executed([]reach.Execution{start, loaded})
	m.Reach.Hidden = slices.Concat(m.Reach.Hidden, files.hidden())
	a, b := m.sides[0].Binary.Variant, m.sides[1].Binary.Variant
	return enough && change.Unseen(m.Reach) && reach.StartsAlike(memory) && lab.StartedAlike(a, b) &&
		slices.Equal(a.Env, b.Env), nil
}

// compiledAs says how the packages of a binary are compiled.
func compiledAs(b *build.Binary) reach.Side {
	flags, targets := b.Repeat()
	return reach.Side{Dir: b.WorkDir, Targets: targets, Env: build.Env(b.Variant), Flags: flags}
}

// counted is what one variant executed at its start and under load.
type counted struct {
	start, load reach.Counters
	answered    uint64
	enough      bool
	stderr      string // with what the runtime writes of the start
}

// startApart starts a binary of a variant so that what it shows stays out of the measurement. counters is where it
// writes coverage counters at its end, if it has some.
func (m *services) startApart(ctx context.Context, v *service, binary *build.Binary, counters string) (*start, error) {
	around := *m.host
	around.build, around.counters = 0, counters
	around.startTrace = reach.TracesStart(append(os.Environ(), binary.Variant.Env...))
	own := &service{Side: &lab.Side{Built: lab.Built{Binary: binary}, Builds: []*build.Binary{binary}, Letter: v.Letter,
		Draft: v.Draft}, home: v.home}
	s, err := startUp(ctx, own, &m.Task, around)
	m.up = append(m.up, s)
	v.secrets = append(v.secrets, own.secrets...)
	return s, err
}

// atStart is what a program has written at its start, and perhaps later; empty where not even that was kept.
func atStart(s output.Stream) string {
	lines := strings.Split(strings.TrimSpace(string(s.Head)), "\n")
	if s.Dropped > 0 && (len(lines) < 2 || strings.HasPrefix(lines[len(lines)-2], "init ")) { // the last one is cut off
		return ""
	}
	return s.String()
}

// observe finds what of some packages variant i executes, and which files it reads. They are watched after the build,
// which may read them, too.
func (m *services) observe(ctx context.Context, i int, side reach.Side, packages []string, files *filesRead) (c counted,
	err error) {
	binary, err := m.buildCounted(ctx, m.sides[i], packages)
	if err != nil {
		return c, err
	}
	end, err := files.watch(i)
	if err != nil {
		return c, err
	}
	c, err = m.count(ctx, m.sides[i], side, binary)
	return c, errors.Join(err, end())
}

// buildCounted builds a variant with counters in packages; it is the variant's own binary where there are none.
func (m *services) buildCounted(ctx context.Context, v *service, packages []string) (b *build.Binary, err error) {
	if len(packages) == 0 {
		return v.Binary, nil
	}
	// Without counters in package main go build leaves out what clears and writes them.
	packages = append([]string{v.Binary.Package}, packages...)
	err = m.onAllCPUs(func() error {
		b, err = v.Binary.Counted(ctx, reach.CounterFlags(packages), build.Options{
			Source: source.Options{WorkDir: m.WorkDir, Worktrees: m.Worktrees}, OutDir: filepath.Join(m.Tmp, "counted")})
		return err
	})
	return b, err
}

// count starts a binary of buildCounted, and loads it for a moment. What it shows stays out of the measurement.
func (m *services) count(ctx context.Context, v *service, side reach.Side, binary *build.Binary) (c counted,
	err error) {
	hasCounters, counters := binary != v.Binary, ""
	if hasCounters {
		counters = m.Tmp
	}
	s, err := m.startApart(ctx, v, binary, counters)
	if err != nil {
		return c, err
	}
	probes := s.process.Probes()
	if probes == nil && hasCounters {
		return c, fail.New(fail.Subject, "it has no probe")
	}
	written := func(name string) (reach.Counters, error) {
		if !hasCounters {
			return nil, nil
		}
		dir, err := probes.WriteCounters(ctx, name)
		if err != nil {
			return nil, err
		}
		return side.ReadWritten(ctx, dir)
	}
	if c.start, err = written("start"); err != nil {
		return c, err
	}
	if hasCounters {
		if err := probes.ClearCounters(ctx); err != nil {
			return c, err
		}
	}
	slice, err := s.load(ctx, scheduleOf(m.Task, reachLoad), m.Task.Plan.Timeout)
	if err != nil {
		return c, err
	}
	least := uint64(manyAnswers)
	if vary.OneRequest(s.target.URL, s.target.Options) {
		least = fewAnswers
	}
	c.answered, c.enough = slice.Answered, slice.Answered >= least
	c.stderr = atStart(s.process.Output().Stderr)
	slice.Release()
	if c.load, err = written("load"); err != nil {
		return c, err
	}
	return c, m.stop()
}
