package watch

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/gohone/hone/internal/program/build"
	"github.com/gohone/hone/internal/program/lifetime"
	"github.com/gohone/hone/internal/program/probeclient"
	programsource "github.com/gohone/hone/internal/program/source"
	"github.com/gohone/hone/internal/program/subject"
	"github.com/gohone/hone/internal/sys/tempdir"
	"github.com/gohone/hone/internal/text/fail"
)

// Launch says how a package is built and started.
type Launch struct {
	// Word is the package as build.ParseVariant reads it; Args come after its own.
	Word string
	Args []string
	// NoInject builds without the probe; the program then writes gctrace.
	NoInject bool
	// Guard is the argv that runs guard.Run, WorkDir what relative packages refer to.
	Guard   []string
	WorkDir string
	// ReadyTimeout and Grace bound the start and the stop; 0 takes the default of package
	// subject.
	ReadyTimeout, Grace time.Duration
	// Say hears what is going on until the program is ready.
	Say func(phase string)
}

// Started is a program that was built and started to be watched. Stop must be called.
type Started struct {
	process *subject.Process
	binary  *build.Binary
	probes  *probeclient.Probes // nil without them
	lines   *traceLines
	dir     *tempdir.Dir
}

// Start builds a package and starts it. Errors are those of build.ParseVariant, Build
// and Start.
func Start(ctx context.Context, l Launch) (s *Started, err error) {
	v, err := build.ParseVariant("A", l.Word)
	if err != nil {
		return nil, err
	}
	v.NoInject = l.NoInject
	if said := lifetime.EndOrphans(); said != "" {
		l.Say(said)
	}
	dir, err := tempdir.Make() // not in the ledger, since the path of a socket must be short
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, dir.Remove())
		}
	}()
	l.Say("build " + v.Source)
	s = &Started{dir: dir, lines: &traceLines{}}
	s.binary, err = build.Program(ctx, v, build.Options{Source: programsource.Options{WorkDir: l.WorkDir},
		OutDir: dir.Path})
	if err != nil {
		return nil, interrupted(ctx, err)
	}
	o := subject.StartOptions{Guard: l.Guard, Args: l.Args, DataDir: dir.Path, Grace: l.Grace,
		Readiness: subject.Readiness{ReadyTimeout: l.ReadyTimeout}, Output: subject.OutputOptions{Stderr: s.lines}}
	if s.binary.Probed {
		o.ProbeDir = dir.Path
	} else {
		o.Env = []string{"GODEBUG=" + withTrace(v.Env)}
	}
	for _, note := range s.binary.Notes {
		l.Say(note)
	}
	place, err := s.binary.Place(l.WorkDir, "", dir.Path)
	if err != nil {
		return nil, err
	}
	where := ""
	if place.Root != "" {
		o.Dir, where = place.Dir, " in a checkout of "+s.binary.Checkout.Ref
	}
	l.Say("start " + v.Source + where)
	if s.process, err = subject.Start(ctx, s.binary, o); err != nil {
		return nil, interrupted(ctx, err)
	}
	s.probes = s.process.Probes()
	return s, nil
}

// interrupted gives an error the kind of an interruption if that is what it was.
func interrupted(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return fail.New(fail.Interrupted, "%w", err)
	}
	return err
}

// withTrace adds gctrace=1 to the GODEBUG that the program would have.
func withTrace(env []string) string {
	value := os.Getenv("GODEBUG")
	for _, entry := range env {
		if v, found := strings.CutPrefix(entry, "GODEBUG="); found {
			value = v
		}
	}
	if value == "" {
		return "gctrace=1"
	}
	return value + ",gctrace=1"
}

// Address is where the program listens; empty if hone cannot tell.
func (s *Started) Address() string { return s.process.Address() }

func (s *Started) title() string {
	return fmt.Sprintf("%s  %s  PID %d", s.binary.Package, s.Address(), s.process.PID())
}

// Probed says that the program has the probe.
func (s *Started) Probed() bool { return s.probes != nil }

// Stop ends the program and removes its files. The warning is a sentence for the user.
func (s *Started) Stop(ctx context.Context) (warning string, err error) {
	report, err := s.process.Stop(ctx)
	if removed := s.dir.Remove(); removed != nil {
		err = errors.Join(err, fail.New(fail.Storage, "remove files of the program: %w", removed))
	}
	return report.Warning(), err
}

// sources are the program's own: its usage, and its runtime by the probe or by gctrace.
func (s *Started) sources() []source {
	w := &watched{}
	w.set(s.process.PID(), s.binary.Package, time.Time{})
	all := []source{&usage{process: s.process}}
	if s.probes != nil {
		all = append(all, newRuntimeSource(s.probes))
	} else {
		all = append(all, newTrace(s.lines))
	}
	return append(all, socketSources(w)...)
}
