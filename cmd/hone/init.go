package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/spf13/cobra"

	"github.com/gohone/hone/cmd/hone/internal/app"
	"github.com/gohone/hone/internal/spec/config"
	"github.com/gohone/hone/internal/sys/outfile"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/printable"
)

func (a *commands) initCommand() *cobra.Command {
	var force, onlyPrint bool
	cmd := &cobra.Command{
		Use:   "init",
		Short: "Write a hone.yaml for the packages found here",
		Long: `init looks for main packages below the working directory, for flags that say where they
listen, and for the default branch of the git repository. It writes a hone.yaml that measures
the package most like a server, and compares it with that branch. It only reads files: it
executes nothing, not even go or git.`,
		Example: `  hone init
  hone init --print`,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error { return a.init(force, onlyPrint) },
	}
	cmd.Flags().BoolVar(&force, "force", false, "replace a hone.yaml that is there")
	cmd.Flags().BoolVar(&onlyPrint, "print", false, "print the file and write nothing")
	app.LayOutHelp(cmd, func() (bool, string) { return true, "Flags:\n" + cmd.Flags().FlagUsages() })
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
