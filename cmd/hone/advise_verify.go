package main

import (
	"cmp"
	"io"

	"github.com/google/pprof/profile"
	"github.com/spf13/cobra"

	"github.com/gohone/hone/cmd/hone/internal/app"
	"github.com/gohone/hone/internal/conduct/lab"
	"github.com/gohone/hone/internal/conduct/tune"
	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/store/tuning"
	"github.com/gohone/hone/internal/sys/tempdir"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/view/report"
)

// verifyRun tries settings on the program of a stored run. The ledger must not be open. f has
// the ledger, the budget and what completes the run's parts.
func (a *commands) verifyRun(f *app.MeasureFlags, cmd *cobra.Command, name string) error {
	run, workDir, err := a.Again(f, cmd, name)
	if err != nil {
		return err
	}
	if f.Advise.WritePGO && run.Binary.Version() != "" {
		return fail.New(fail.BadInput, "--write-pgo: run %s is of %s, which has no directory to write to",
			run.ID, run.Binary.Version()).
			WithHint("measure the program in its directory, and use that run")
	}
	cpu, err := a.cpuProfile(f.Ledger, name)
	if err != nil {
		return err
	}
	temp, err := tempdir.Make()
	if err != nil {
		return err
	}
	defer temp.Remove()
	var found *tuning.Verification
	err = a.InLab(f, workDir, func(l *lab.Lab) (err error) {
		found, err = tune.Trial{Lab: l, Task: f.Task}.Verify(a.Ctx, run, cpu, f.Advise.Only, temp.Path)
		return err
	}, nil)
	if found == nil || err != nil {
		return err
	}
	if flags, _ := lab.Completing(run); flags != "" {
		found.Completing = " " + flags
	}
	if f.Advise.WritePGO {
		err = writePGO(found, run, cpu, f.Advise.Force)
	}
	return cmp.Or(a.Print(f.JSON, found, func(w io.Writer) error { return report.Verified(w, found) }), err)
}

// verifyMemory tries what shrinks the memory of the program of a stored run.
func (a *commands) verifyMemory(f *app.MeasureFlags, cmd *cobra.Command, name string) error {
	f.Advise.Only = []string{spec.SettingMemory}
	return a.verifyRun(f, cmd, name)
}

// writePGO writes the profile that PGO gained by.
func writePGO(v *tuning.Verification, run record.Run, cpu *profile.Profile, force bool) (err error) {
	for _, t := range v.Tried {
		if t.Name == "PGO" && t.Gains() {
			v.Wrote, err = tune.WritePGO(run.Binary.WorkDir, run.Binary.Dir, cpu, force)
			return err
		}
	}
	return fail.New(fail.Undecided, "%s is not written: PGO was not shown to be a gain", tuning.PGOFile)
}

// cpuProfile is the CPU profile of a run, all of its parts added up; nil if it has none.
func (a *commands) cpuProfile(dir, name string) (*profile.Profile, error) {
	l, err := a.ReadLedger(dir)
	if err != nil {
		return nil, err
	}
	defer l.Close()
	p, err := a.ReadProfiles(l, name, []string{"cpu"})
	if err != nil || len(p.Captures["cpu"]) == 0 {
		return nil, err
	}
	c, err := p.One("cpu")
	return c.Profile, err
}
