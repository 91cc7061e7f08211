package main

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/gohone/hone/internal/fail"
	"github.com/gohone/hone/internal/lab"
	"github.com/gohone/hone/internal/loadtest"
)

// ofTheRun are the flags of a measurement that may complete a stored run: what the ledger leaves
// out since it may be secret, and what is not the run's.
var ofTheRun = []string{
	"target", "path", "header", "body", "feed", "curl", "har", "har-host", "access-log", "openapi", "methods", "traffic", "sequence", "expect-body", "expect-json", "env",
	"budget", "duration", "alpha", "seed", "block", "slice", "ledger", "json", "quiet", "keep-env",
}

// addGiven declares, for commands that take a stored run only, the flags that complete it.
func (f *measureFlags) addGiven(fl *pflag.FlagSet) {
	all := &cobra.Command{}
	f.add(all)
	f.addTest(all)
	for _, name := range ofTheRun {
		flag := all.Flags().Lookup(name)
		if flag == nil || fl.Lookup(name) != nil {
			continue
		}
		if name != "budget" && name != "env" {
			flag.Hidden = true // they are for runs that need them, whose error names them
		}
		fl.AddFlag(flag)
	}
}

// again makes the request of the flags that of a stored run, and returns its record and the
// directory that its sources refer to.
func (a *app) again(f *measureFlags, cmd *cobra.Command, name string) (record lab.Record, workDir string, err error) {
	var other []string
	cmd.Flags().Visit(func(flag *pflag.Flag) {
		// What the command has beside a measurement's flags is its own.
		if isMeasureFlag(flag.Name) && !slices.Contains(ofTheRun, flag.Name) {
			other = append(other, "--"+flag.Name)
		}
	})
	if len(other) > 0 {
		return record, "", fail.New(fail.BadInput, "%s with a stored run, which says that itself", strings.Join(other, ", ")).
			WithHint("leave it out, or name the package instead of the run")
	}
	if record, err = a.storedRun(f.ledger, name); err != nil {
		return record, "", err
	}
	given := lab.Given{Target: f.request.Target, Path: f.request.Path, Env: f.options.Env}
	if err := a.takeRequests(f, nil); err != nil {
		return record, "", err
	}
	given.Path = f.request.Path
	if given.Protocol, err = f.protocol.resolve(f.request.Target); err != nil {
		return record, "", err
	}
	r, workDir, err := lab.Again(record, given)
	if err != nil {
		return record, "", err
	}
	mine := f.request
	r.Budget, r.Alpha, r.Delta, r.Seed, r.BlockLoad = mine.Budget, mine.Alpha, mine.Delta, mine.Seed, mine.BlockLoad
	r.Slice, r.Command = mine.Slice, commandLine(cmd, a.args)
	f.request, f.stored = r, true
	return record, workDir, nil
}

// isMeasureFlag says whether run and compare have a flag of that name.
func isMeasureFlag(name string) bool {
	cmd, f := &cobra.Command{}, &measureFlags{}
	f.add(cmd)
	f.addTest(cmd)
	return cmd.Flags().Lookup(name) != nil
}

// storedRun reads the record of a run that is to be measured again: the user's own, or a trusted one.
func (a *app) storedRun(dir, name string) (lab.Record, error) {
	l, err := a.readLedger(dir)
	if err != nil {
		return lab.Record{}, err
	}
	defer l.Close()
	row, err := l.Run(name)
	if err != nil {
		return lab.Record{}, err
	}
	if lab.SchemaOf(row.Doc) == loadtest.StoredSchema {
		return lab.Record{}, fail.New(fail.BadInput, "run %s is a load test of a server that hone did not start", row.ID).
			WithHint("hone show %s names the command that measures it again; hone run PACKAGE starts, loads and profiles a program", row.ID)
	}
	record, err := decodeRun(row)
	if err != nil {
		return lab.Record{}, err
	}
	return record, a.checkRun(l, dir, record)
}
