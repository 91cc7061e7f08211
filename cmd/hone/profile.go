package main

import (
	"github.com/spf13/cobra"

	"github.com/gohone/hone/prof"
)

// profileFlags are those of all commands that show profiles.
type profileFlags struct {
	ledger string
	kind   string
	json   bool
}

func (a *app) profileCommand() *cobra.Command {
	capture := &captureFlags{}
	cmd := &cobra.Command{
		Use:   "profile [http://HOST:PORT]",
		Short: "Look at the profiles of runs, of files, and of services that run already",
		Long: `profile shows where the CPU time, the allocations, the locks of a run go. Each view takes
a run of the ledger, by its name or the start of it, or a file in the format of pprof, with
the numbers that go tool pprof has. diff compares two of them function by function, per
request and against their noise; blame hands the collector's CPU time to those who allocate.

With an address it takes the profiles of a service that serves net/http/pprof there, under
whatever load it has, and keeps them as a run.`,
		Example: `  hone profile top RUN
  hone profile list 'server.\(\*conn\)' RUN
  hone profile flame RUN --html flame.html
  hone profile diff RUN1 RUN2
  hone profile blame RUN
  hone profile http://localhost:6060 --seconds 30`,
		Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error { return a.captureRemote(capture, args[0]) },
	}
	capture.add(cmd)
	for _, v := range prof.Views {
		cmd.AddCommand(a.viewCommand(v))
	}
	cmd.AddCommand(a.profileDiffCommand(), a.profileBlameCommand(), a.profileHotCommand(), a.profileImportCommand())
	return cmd
}

// add declares the flags; kind is the default one.
func (f *profileFlags) add(cmd *cobra.Command, kind string) {
	fl := cmd.Flags()
	fl.StringVar(&f.ledger, "ledger", ".hone", "`DIRECTORY` of the ledger")
	fl.BoolVar(&f.json, "json", false, "print the document as JSON")
	if kind != "" {
		fl.StringVar(&f.kind, "kind", kind, "profile of a run: cpu, allocs, heap, goroutine, mutex, block")
	}
}
