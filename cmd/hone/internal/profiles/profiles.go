package profiles

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/gohone/hone/cmd/hone/internal/app"
	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/redact"
	"github.com/gohone/hone/prof"
)

// commands are the commands below hone profile.
type commands struct {
	*app.App
	verify Verify
}

// Verify tries the settings that shrink the memory of the program of a stored run, and prints what they do.
type Verify func(f *app.MeasureFlags, cmd *cobra.Command, run string) error

// Command is hone profile.
func Command(of *app.App, verify Verify) *cobra.Command {
	a := &commands{of, verify}
	cmd := &cobra.Command{
		Use:   "profile",
		Short: "Show profiles of runs and of files",
		Long: `profile shows where the CPU time, the allocations and the locks of a run go. Each view takes the
newest run, a run of the ledger (the start of its name is enough) or a file in pprof's format. The numbers are
those of go tool pprof. diff compares two profiles function by function, per request and against
their noise. blame assigns the collector's CPU time to the code that allocates. hone pull makes a run of
profiles from elsewhere.`,
		Example: `  hone profile top
  hone profile list 'server.\(\*conn\)' RUN
  hone profile flame RUN --html flame.html
  hone profile diff RUN1 RUN2
  hone profile blame RUN
  hone profile gc RUN
  hone profile holders heap.dump ./server
  hone profile memory RUN
  hone profile pprof RUN -- -http=127.0.0.1:0`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return cmd.Help()
			}
			return noSuchView(cmd, args[0])
		},
	}
	app.HoldsOthers(cmd)
	cmd.SuggestionsMinimumDistance = 2 // letters, as for hone's own commands
	for _, v := range prof.Views {
		cmd.AddCommand(a.viewCommand(v))
	}
	cmd.AddCommand(a.profileDiffCommand(), a.profileBlameCommand(), a.profileHotCommand(), a.profileGCCommand(),
		a.profilePProfCommand(),
		a.profileHoldersCommand(), a.profileMemoryCommand())
	return cmd
}

// noSuchView says what there is instead of a word that is not an address.
func noSuchView(cmd *cobra.Command, word string) error {
	var names []string
	for _, c := range cmd.Commands() {
		names = append(names, c.Name())
	}
	err := fail.New(fail.BadInput, "%q is not a view; there are %s", word, strings.Join(names, ", "))
	if strings.Contains(word, "://") {
		return err.WithHint("hone pull %s takes the profiles of a service and keeps them as a run", redact.URL(word))
	}
	if app.IsSource(word) {
		return app.WantNoSource(cmd, []string{word}, "a view and a run")
	}
	if ledger.IsName(word) {
		return err.WithHint("%s", spec.Join([]string{"hone", "profile", "top", word}))
	}
	if near := cmd.SuggestionsFor(word); len(near) > 0 {
		return err.WithHint("did you mean %s %s?", cmd.CommandPath(), near[0])
	}
	return err.WithHint("%s --help", cmd.CommandPath())
}
