package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gohone/hone/cmd/hone/internal/app"
	"github.com/gohone/hone/cmd/hone/internal/demo"
	"github.com/gohone/hone/cmd/hone/internal/fix"
	"github.com/gohone/hone/cmd/hone/internal/profiles"
	"github.com/gohone/hone/cmd/hone/internal/reach"
	"github.com/gohone/hone/cmd/hone/internal/track"
	"github.com/gohone/hone/cmd/hone/internal/verify"
	"github.com/gohone/hone/internal/spec/cli"
	"github.com/gohone/hone/internal/spec/extension"
	"github.com/gohone/hone/internal/text/words"
)

// commands are the commands of hone, with what all of them share.
type commands struct{ *app.App }

// root returns the command tree. A new command is one file and one line here.
func (a *commands) root() *cobra.Command {
	root := &cobra.Command{
		Use:   "hone",
		Short: "Measure Go services, compare them, and say why",
		Long: "hone runs the Go performance loop: baseline, profile, optimise, compare.\n" +
			"It says whether a measurement can be trusted, whether B is faster than A and by how much, and why.",
		SilenceUsage:  true,
		SilenceErrors: true,
	}
	root.SetOut(a.Stdout)
	root.SetErr(a.Stderr)
	root.SetFlagErrorFunc(a.FlagError)
	groups := a.groups()
	for _, g := range groups {
		root.AddCommand(g.commands...)
	}
	root.AddCommand(exitCodesTopic(), wordsTopic(), a.guardCommand(), a.recorderCommand(), a.referenceCommand())
	a.TakeRuns(root)
	helpOn(root, func(word string) error {
		printGroups(a.Stderr, root, append(nearestGroup(root, word), groups...))
		return app.UnknownCommand(root, word)
	})
	ofOthers := root.HelpFunc()
	root.SetHelpFunc(func(cmd *cobra.Command, args []string) {
		if cmd == root {
			printGroups(a.Stdout, root, groups)
			return
		}
		ofOthers(cmd, args)
	})
	return root
}

// commandGroup is a part of hone help: commands in the order of their use.
type commandGroup struct {
	title    string
	commands []*cobra.Command
}

func (a *commands) groups() []commandGroup {
	return []commandGroup{
		{"Measure and compare", []*cobra.Command{a.runCommand(), a.compareCommand(), a.benchCommand(),
			reach.Command(a.App), a.bisectCommand(), track.Command(a.App, a.benchSince, a.searchStep), a.loadCommand(), a.watchCommand()}},
		{"Understand", []*cobra.Command{a.showCommand(), a.adviseCommand(), profiles.Command(a.App, a.verifyMemory),
			a.pullCommand(),
			a.coverCommand(), a.tailCommand(), a.reportCommand(), a.serveCommand(),
			a.historyCommand()}},
		{"Try settings and changes", []*cobra.Command{fix.Command(a.App, a.benchBetween), a.tuneCommand(), a.ablateCommand(), a.upgradeCommand(),
			a.calibrateCommand()}},
		{"Keep and share", append([]*cobra.Command{a.baselineCommand(), a.exportCommand(), a.importCommand(),
			a.ledgerCommand(), verify.Command(a.App)},
			extension.Commands(extension.Metrics, extension.Share, extension.Sign)...)},
		{"Set up", append([]*cobra.Command{demo.Command(a.App), a.initCommand(), a.trustCommand(), a.doctorCommand(),
			a.mcpCommand(), a.lspCommand(), a.versionCommand()},
			extension.Commands(extension.Agent)...)},
	}
}

// nearestGroup has the commands that a word may mean; it is empty where there are none.
func nearestGroup(root *cobra.Command, word string) []commandGroup {
	near := app.NearestCommands(root, word)
	if len(near) == 0 {
		return nil
	}
	g := commandGroup{title: "Nearest to " + word}
	for _, path := range near {
		if cmd, _, err := root.Find(strings.Fields(path)[1:]); err == nil {
			g.commands = append(g.commands, cmd)
		}
	}
	return []commandGroup{g}
}

// helpOn makes hone help WORD call unknown where the word is not a command.
func helpOn(root *cobra.Command, unknown func(word string) error) {
	root.InitDefaultHelpCmd()
	for _, help := range root.Commands() {
		if help.Name() != "help" {
			continue
		}
		show := help.Run
		help.Run, help.RunE = nil, func(cmd *cobra.Command, args []string) error {
			if found, _, err := root.Find(args); err != nil || found == nil || found == root && len(args) > 0 {
				return unknown(args[0])
			}
			show(cmd, args)
			return nil
		}
	}
}

// printGroups is hone help.
func printGroups(w io.Writer, root *cobra.Command, groups []commandGroup) {
	var missing []string
	fmt.Fprintf(w, "%s\n\n", root.Long)
	for _, g := range groups {
		fmt.Fprintf(w, "%s:\n", g.title)
		for _, cmd := range g.commands {
			_, name, _ := strings.Cut(cmd.CommandPath(), " ")
			about := cmd.Short
			if _, install, yes := extension.MissingProgram(cmd, cli.ThisBuild()); yes {
				about += " (not installed)"
				missing = append(missing, fmt.Sprintf("  %-10s %s", name, install))
			}
			fmt.Fprintf(w, "  %-10s %s\n", name, about)
		}
	}
	if len(missing) > 0 {
		fmt.Fprintf(w, "To install an extension:\n%s\n", strings.Join(missing, "\n"))
	}
	fmt.Fprint(w, "\nRUN is the newest, unless you name one: last-1, an id or the start of it, or baseline.\n"+
		"hone COMMAND --help says more. Also: hone help exit-codes, hone help words, hone completion SHELL\n")
}

// exitCodesTopic is the help topic that design and scripts refer to.
func exitCodesTopic() *cobra.Command {
	return &cobra.Command{
		Use:   "exit-codes",
		Short: "What the exit codes mean",
		Long: `Exit codes, the same for every command:

  0    fine: every gate passed, or there is a verdict: faster, slower, or the same
  1    regression: a gate failed, or a limit of hone load
  2    bad input: a flag, a file or a name
  3    the subject failed: build, start, crash
  4    the measurement is invalid: draw no conclusion from it
  5    storage: the ledger or the disk
  6    not trusted: a hone.yaml that you have not trusted, or a .hone directory that came with the
       checkout or holds links or other users' files
  7    environment: limits, ports, permissions of this machine
  8    undecided: the data are not enough for a verdict or a gate
  70   a fault of hone itself: please report it
  130  interrupted`,
	}
}

// wordsTopic is the help topic that explains the words of reports.
func wordsTopic() *cobra.Command {
	b := &strings.Builder{}
	b.WriteString("The words of hone's reports and documents:\n\n")
	_ = words.Write(b) // a Builder takes everything
	return &cobra.Command{Use: "words", Short: "What the words of the reports mean",
		Long: strings.TrimSuffix(b.String(), "\n")}
}
