package main

import (
	"cmp"
	"io"
	"strings"

	"github.com/google/pprof/profile"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/gohone/hone/internal/conduct/lab"
	"github.com/gohone/hone/internal/conduct/tune"
	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/sys/tempdir"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/view/report"
)

// verifyFlags are those of hone advise --verify.
type verifyFlags struct {
	on, writePGO, force bool
	only                []string
	measure             measureFlags
}

func (f *verifyFlags) add(fl *pflag.FlagSet) {
	fl.BoolVar(&f.on, "verify", false, "try what needs no change of source, and measure it: PGO, GOGC and GOMEMLIMIT, GOMAXPROCS, GOEXPERIMENT")
	fl.BoolVar(&f.writePGO, "write-pgo", false, "with --verify: write default.pgo into the directory of package main if PGO was shown to gain")
	fl.StringSliceVar(&f.only, "only", nil, "with --verify: `KINDS` of settings to try, of "+strings.Join(tune.Kinds, ", ")+" (default: all;\ngoexperiment builds the standard library anew, which takes minutes the first time)")
	spec.Declare(fl, spec.ForAdvise, &f.measure.Spec)
	fl.Lookup("budget").Usage = "with --verify and --try: time limit of the measurements, builds not included (with --try 1m0s)"
	fl.Lookup("env").Usage = "with --verify and --try: KEY=VALUE for a variable whose value the run does not keep (repeatable)"
	fl.BoolVar(&f.force, "force", false, "with --write-pgo: replace a default.pgo that is there")
}

// check refuses flags that need --verify.
func (f *verifyFlags) check(cmd *cobra.Command) error {
	for _, name := range []string{"write-pgo", "force", "only"} {
		if cmd.Flags().Changed(name) && !f.on {
			return fail.New(fail.BadInput, "--%s without --verify", name).WithHint("hone advise --verify RUN --%s", name)
		}
	}
	if f.force && !f.writePGO {
		return fail.New(fail.BadInput, "--force without --write-pgo").WithHint("hone advise --verify RUN --write-pgo --force")
	}
	return nil
}

// verifyRun tries settings on the program of a stored run. The ledger must not be open. f.measure
// has the ledger, the budget and what completes the run's request.
func (a *app) verifyRun(f *verifyFlags, cmd *cobra.Command, name string) error {
	m := &f.measure
	run, workDir, err := a.again(m, cmd, name)
	if err != nil {
		return err
	}
	if f.writePGO && run.Binary.Checkout != nil {
		return fail.New(fail.BadInput, "--write-pgo: run %s is of git ref %s, which has no directory to write to", run.ID, run.Binary.Checkout.Ref).
			WithHint("measure the program in its directory, and use that run")
	}
	cpu, err := a.cpuProfile(m.Ledger, name)
	if err != nil {
		return err
	}
	temp, err := tempdir.Make()
	if err != nil {
		return err
	}
	defer temp.Remove()
	var found *tune.Verification
	err = a.inLab(m, workDir, func(l *lab.Lab) (err error) {
		found, err = tune.Trial{Lab: l, Request: m.request}.Verify(a.ctx, tune.VerifyRequest{Run: run, CPU: cpu, Kinds: f.only}, temp.Path)
		return err
	}, nil)
	if found == nil || err != nil {
		return err
	}
	if flags, _ := lab.Completing(run); flags != "" {
		found.Completing = " " + flags
	}
	if f.writePGO {
		err = writePGO(found, run, cpu, f.force)
	}
	return cmp.Or(a.print(m.JSON, found, func(w io.Writer) error { return report.Verified(w, found) }), err)
}

// writePGO writes the profile that PGO gained by.
func writePGO(v *tune.Verification, run lab.Record, cpu *profile.Profile, force bool) (err error) {
	for _, t := range v.Tried {
		if t.Name == "PGO" && t.Gains() {
			v.Wrote, err = tune.WritePGO(run.Binary.Dir, cpu, force)
			return err
		}
	}
	return fail.New(fail.Undecided, "%s is not written: PGO was not shown to be a gain", tune.PGOFile)
}

// cpuProfile is the CPU profile of a run, all of its parts added up; nil if it has none.
func (a *app) cpuProfile(dir, name string) (*profile.Profile, error) {
	l, err := a.readLedger(dir)
	if err != nil {
		return nil, err
	}
	defer l.Close()
	p, err := a.readProfiles(l, name, []string{"cpu"})
	if err != nil || len(p.captures["cpu"]) == 0 {
		return nil, err
	}
	c, err := p.one("cpu")
	return c.Profile, err
}
