package main

import (
	"errors"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/gohone/hone/internal/extension"
	"github.com/gohone/hone/internal/fail"
	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/words"
)

// root returns the command tree. A new command is one file and one line here.
func (a *app) root() *cobra.Command {
	root := &cobra.Command{
		Use:   "hone",
		Short: "Measure Go services, compare them, and say why",
		Long: "hone runs the Go performance loop: baseline, profile, optimise, compare.\n" +
			"It says whether a measurement can be trusted, whether B is faster than A and by how much, and why.",
		SilenceUsage:  true,
		SilenceErrors: true,
	}
	root.SetOut(a.stdout)
	root.SetErr(a.stderr)
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		if command := inHone(a.args, cmd.Flags()); command != "" {
			return fail.New(fail.BadInput, "%w", err).WithHint("hone writes these options of go tool pprof as: %s", command)
		}
		if unknown := (*pflag.NotExistError)(nil); errors.As(err, &unknown) {
			if hint := spec.Elsewhere(cmd.Flags(), unknown.GetSpecifiedName()); hint != "" {
				return fail.New(fail.BadInput, "%w", err).WithHint("%s", hint)
			}
		}
		return fail.New(fail.BadInput, "%w", err).WithHint("%s --help lists the flags", cmd.CommandPath())
	})
	root.AddCommand(
		a.demoCommand(),
		a.initCommand(),
		a.trustCommand(),
		a.runCommand(),
		a.compareCommand(),
		a.calibrateCommand(),
		a.tuneCommand(),
		a.ablateCommand(),
		a.benchCommand(),
		a.loadCommand(),
		a.agentCommand(),
		a.agentsCommand(),
		a.brokerCommand(),
		a.profileCommand(),
		a.tailCommand(),
		a.adviseCommand(),
		a.serveCommand(),
		a.watchCommand(),
		a.historyCommand(),
		a.baselineCommand(),
		a.showCommand(),
		a.reportCommand(),
		a.mcpCommand(),
		a.exportCommand(),
		a.importCommand(),
		a.pushCommand(),
		a.pullCommand(),
		a.ledgerCommand(),
		a.doctorCommand(),
		a.versionCommand(),
		a.guardCommand(),
		a.recorderCommand(),
		a.referenceCommand(),
		exitCodesTopic(),
		wordsTopic(),
	)
	root.AddCommand(extension.Commands()...)
	return root
}

// exitCodesTopic is the help topic that design and scripts refer to.
func exitCodesTopic() *cobra.Command {
	return &cobra.Command{
		Use:   "exit-codes",
		Short: "What the exit codes mean",
		Long: `Exit codes, the same for every command:

  0    fine, or the gate passed
  1    regression: a gate failed
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
	return &cobra.Command{Use: "words", Short: "What the words of the reports mean", Long: strings.TrimSuffix(b.String(), "\n")}
}
