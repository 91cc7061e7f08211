package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/spf13/cobra"

	"github.com/gohone/hone/cmd/hone/internal/app"
	"github.com/gohone/hone/cmd/hone/internal/setup"
	"github.com/gohone/hone/internal/spec/config"
	"github.com/gohone/hone/internal/sys/outfile"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/printable"
)

func (a *commands) initCommand() *cobra.Command {
	var o setup.Options
	cmd := &cobra.Command{
		Use:   "init",
		Short: "Write a hone.yaml, or the workflows of GitHub or GitLab, for what is found here",
		Long: `init looks for main packages below the working directory, for flags that say where they
listen, and for the default branch of the git repository. It writes a hone.yaml that measures
the package most like a server, and compares it with that branch.

With --github or --gitlab it writes a gate for pull requests instead: a job that compares the
benchmarks of each module, or a server where there are none, with the base of the pull request.
With --nightly it also writes a workflow that tracks the default branch.

init only reads files: it executes nothing, not even go or git. --measure does: it measures the
benchmarks against themselves, to choose the limit of the gate by what they show.`,
		Example: `  hone init
  hone init --github
  hone init --github --nightly --measure
  hone init --gitlab --print`,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			if err := o.Check(); err != nil {
				return err
			}
			if o.GitHub || o.GitLab {
				return setup.Workflows(a.App, o)
			}
			return a.init(o.Force, o.Print)
		},
	}
	flags := cmd.Flags()
	flags.BoolVar(&o.GitHub, "github", false, "write workflows of GitHub Actions: the gate, and its comment")
	flags.BoolVar(&o.GitLab, "gitlab", false, "write a job of GitLab, and include it")
	flags.BoolVar(&o.Nightly, "nightly", false, "with --github: also track the default branch each night, its benchmarks or, without any, its service")
	flags.DurationVar(&o.Measure, "measure", 0,
		"measure for this `TIME` first, and choose the limit of the gate by what shows (else it is 5 %)")
	flags.Lookup("measure").NoOptDefVal = "2m"
	flags.BoolVar(&o.Force, "force", false, "replace files that are there")
	flags.BoolVar(&o.Print, "print", false, "print the files and write nothing")
	app.LayOutHelp(cmd, func() (bool, string) { return true, "Flags:\n" + flags.FlagUsages() })
	return cmd
}

func (a *commands) init(force, onlyPrint bool) error {
	dir, err := app.WorkDir()
	if err != nil {
		return err
	}
	mains, err := config.Discover(dir)
	if err != nil {
		return err
	}
	text := config.Draft(mains, config.DefaultBranch(dir))
	doc, err := config.Parse(config.Name, text)
	if err != nil {
		return fmt.Errorf("draft %s: %w", config.Name, err)
	}
	if !onlyPrint {
		if err := writeDraft(text, force); err != nil {
			return err
		}
	}
	if _, err := a.Stdout.Write(text); err != nil || onlyPrint {
		return err
	}
	next := "hone run"
	if doc.Baseline.Value != "" {
		next = "hone compare"
	}
	_, err = fmt.Fprintf(a.Stderr, "wrote %s\nnext: hone trust && %s\n", config.Name, printable.Line(next))
	return err
}

// writeDraft writes the file whole or not at all, and not over one that is there.
func writeDraft(text []byte, force bool) error {
	if _, err := os.Lstat(config.Name); err == nil && !force {
		return fail.New(fail.BadInput, "there is a %s here already", config.Name).
			WithHint("hone init --print shows what would be written; hone init --force replaces it")
	} else if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fail.New(fail.Environment, "look for %s: %w", config.Name, err)
	}
	err := outfile.Write(config.Name, 0o644, func(w io.Writer) error {
		_, err := w.Write(text)
		return err
	})
	if err != nil {
		return fail.New(fail.Storage, "write %s: %w", config.Name,
			err).WithHint("hone init --print writes it to standard output")
	}
	return nil
}
