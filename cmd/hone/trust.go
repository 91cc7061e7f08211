package main

import (
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/gohone/hone/internal/config"
	"github.com/gohone/hone/internal/fail"
	"github.com/gohone/hone/internal/trust"
)

func (a *app) trustCommand() *cobra.Command {
	var list, forget, asJSON bool
	cmd := &cobra.Command{
		Use:   "trust [FILE]",
		Short: "Allow hone to execute what a hone.yaml asks for",
		Long: `trust prints every command that FILE, or the nearest hone.yaml, makes hone execute,
and records that you allow it. Trust holds for this file with this content: when it
changes, hone asks again. It does not cover files that the commands use, such as a Makefile.
trust itself executes nothing.`,
		Example: `  hone trust
  hone trust --list
  hone trust --forget`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			store, err := trust.User()
			switch {
			case err != nil:
				return err
			case list && (forget || len(args) > 0), forget && asJSON:
				return fail.New(fail.BadInput, "these flags and arguments do not go together").WithHint("hone trust --help shows examples")
			case list:
				return a.listTrust(store, asJSON)
			case forget:
				return a.forgetTrust(store, args)
			}
			return a.trust(store, args, asJSON)
		},
	}
	cmd.Flags().BoolVar(&list, "list", false, "list the files that you trust")
	cmd.Flags().BoolVar(&forget, "forget", false, "stop trusting the file")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON with a schema version")
	return cmd
}

// trust shows what a file asks for and records the consent to just that content.
func (a *app) trust(store *trust.Store, args []string, asJSON bool) error {
	file, err := fileOf(args)
	if err != nil {
		return err
	}
	asks := asksFor(file)
	if !asJSON {
		if _, err := fmt.Fprintf(a.stdout, "%s makes hone execute, when you name these:\n%s\n", file.Shown, strings.Join(asks, "\n")); err != nil {
			return fail.New(fail.Environment, "print what is to be trusted: %w", err)
		}
	}
	if err := store.Trust(file.Path, file.Content, time.Now()); err != nil {
		return err
	}
	sum := trust.Hash(file.Content)
	if asJSON {
		return a.printJSON(struct {
			Schema string   `json:"schema"`
			Path   string   `json:"path"`
			SHA256 string   `json:"sha256"`
			Asks   []string `json:"asks"`
		}{"hone.trust-file/1", file.Path, sum, asks})
	}
	next := "hone run"
	if file.Baseline.Value != "" {
		next = "hone compare"
	}
	_, err = fmt.Fprintf(a.stdout, "trusted: %s (SHA-256 %s)\nnext: %s\n", file.Path, sum, next)
	return err
}

// fileOf reads the file that was named, or the nearest.
func fileOf(args []string) (*config.File, error) {
	if len(args) > 0 {
		return config.Read(args[0], args[0])
	}
	file, err := nearestFile()
	if err == nil && file == nil {
		err = fail.New(fail.BadInput, "there is no %s here or above", config.Name).WithHint("hone init writes one")
	}
	return file, err
}

// asksFor lists all that a file can make hone do.
func asksFor(file *config.File) []string {
	names := file.Names()
	if file.Has(config.SubjectName) {
		names = append([]string{config.SubjectName}, names...)
	}
	lines := file.Commands(names...)
	for _, name := range file.PlanNames() {
		lines = append(lines, "plan "+name+":", "  "+file.Plans[name].CommandLine())
	}
	lines = append(lines, file.Offs()...)
	if ready := file.Subject.Ready.Value; ready != "" {
		lines = append(lines, "wait for:", "  "+config.Show(ready))
	}
	if file.Subject.Target.Value != "" {
		lines = append(lines, "load on:", "  "+config.Show(file.Subject.Target.Value))
	}
	return lines
}

func (a *app) forgetTrust(store *trust.Store, args []string) error {
	path := ""
	if len(args) > 0 {
		path = args[0] // it may be gone or broken
	} else if file, err := fileOf(nil); err != nil {
		return err
	} else {
		path = file.Path
	}
	known, err := store.Forget(path)
	if err != nil {
		return err
	}
	if !known {
		return fail.New(fail.BadInput, "%s was not trusted", path).WithHint("hone trust --list shows the files that are")
	}
	_, err = fmt.Fprintf(a.stdout, "forgotten: %s\n", path)
	return err
}

func (a *app) listTrust(store *trust.Store, asJSON bool) error {
	entries, err := store.List()
	if err != nil {
		return err
	}
	if asJSON {
		return a.printJSON(struct {
			Schema string        `json:"schema"`
			Files  []trust.Entry `json:"files"`
		}{"hone.trust-list/1", entries})
	}
	for _, e := range entries {
		if _, err := fmt.Fprintf(a.stdout, "%s  %.12s  %s\n", e.Since.Local().Format(time.DateTime), e.SHA256, config.Show(e.Path)); err != nil {
			return err
		}
	}
	return nil
}
