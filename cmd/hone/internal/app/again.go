package app

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/gohone/hone/internal/conduct/lab"
	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/text/fail"
)

// Again makes the request of the flags that of a stored run, and returns its record and the
// directory that its sources refer to.
func (a *App) Again(f *MeasureFlags, cmd *cobra.Command, name string) (record record.Run, workDir string,
	err error) {
	var other []string
	set := spec.Of(cmd.Flags())
	for _, r := range set.AllGiven() {
		if r.For&(spec.ForAdvise|spec.ForMemory) == 0 {
			other = append(other, set.Written(r))
		}
	}
	if len(other) > 0 {
		return record, "", fail.New(fail.BadInput, "%s with a stored run, which says that itself",
			strings.Join(other, ", ")).
			WithHint("leave it out, or name the package instead of the run")
	}
	if record, err = a.storedRun(f.Ledger, name); err != nil {
		return record, "", err
	}
	if _, err := f.Asked.Take(a.Ctx, &f.Spec, nil, nil); err != nil {
		return record, "", err
	}
	if err := f.Asked.Protocol(&f.Load); err != nil {
		return record, "", err
	}
	slice := f.Slice
	if f.Task, workDir, err = lab.Again(record, f.Parts); err != nil {
		return record, "", err
	}
	f.Parts, f.Task.Command, f.Stored = f.Task.Parts, CommandLine(cmd, a.Words), true
	f.Slice = slice
	return record, workDir, nil
}

// storedRun reads the record of a run that is to be measured again: the user's own, or a trusted one.
func (a *App) storedRun(dir, name string) (record.Run, error) {
	l, err := a.ReadLedger(dir)
	if err != nil {
		return record.Run{}, err
	}
	defer l.Close()
	r, err := a.Library(l).Stored.Run(name)
	if err != nil {
		return record.Run{}, err
	}
	if r.Load != nil {
		return record.Run{}, fail.New(fail.BadInput, "run %s is a load test of a server that hone did not start",
			r.Row.ID).
			WithHint("hone show %s names the command that measures it again; hone run PACKAGE starts, loads and profiles a "+
				"program", r.Row.ID)
	}
	return r.Record, a.CheckRun(l, dir, r.Record)
}
