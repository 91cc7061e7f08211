package main

import (
	"fmt"
	"io"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/gohone/hone/cmd/hone/internal/app"
	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/spec/config"
	"github.com/gohone/hone/internal/spec/trust"
	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/printable"
)

func (a *commands) trustCommand() *cobra.Command {
	f := &spec.Spec{}
	var list, forget, yes bool
	cmd := &cobra.Command{
		Use:   "trust [FILE|RUN]",
		Short: "Allow hone to execute the commands of a hone.yaml, or of a run of others",
		Long: `trust prints every command that FILE, or the nearest hone.yaml, makes hone execute,
and records that you allow it. On a terminal it asks first, unless you give --yes. Trust holds for this file with this content: when it
changes, hone asks again. It does not cover files that the commands use, such as a Makefile.

RUN is a stored run that your own hone did not measure: one that was imported or pulled, or
that came with a directory of others. hone advise --verify, hone advise --try and hone tune
would build and execute its program as it says. Runs that you measured yourself need no trust.

trust itself executes nothing.`,
		Example: `  hone trust
  hone trust RUN
  hone trust --list
  hone trust --forget`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			store, err := trust.User()
			switch {
			case err != nil:
				return err
			case list && (forget || len(args) > 0), forget && f.JSON:
				return fail.New(fail.BadInput,
					"these flags and arguments do not go together").WithHint("hone trust --help shows examples")
			case list:
				return a.listTrust(store, f.JSON)
			case forget:
				return a.forgetTrust(store, f.Ledger, args)
			case len(args) > 0 && namesRun(args[0]):
				return a.trustRun(store, f, args[0], yes)
			}
			return a.trust(store, args, f, yes)
		},
	}
	cmd.Flags().BoolVar(&list, "list", false, "list the files that you trust")
	cmd.Flags().BoolVar(&forget, "forget", false, "stop trusting the file or the run")
	cmd.Flags().BoolVar(&yes, "yes", false, "allow it without a question")
	app.AddOptions(cmd, spec.ForKeeping, f)
	return cmd
}

// trust shows what a file asks for and records the consent to just that content.
func (a *commands) trust(store *trust.Store, args []string, f *spec.Spec, yes bool) error {
	file, err := fileOf(args)
	if err != nil {
		return err
	}
	next := "hone run"
	if file.Baseline.Value != "" {
		next = "hone compare"
	}
	return a.consent(store, consent{
		head: file.Shown + " makes hone execute, when you name these:", asks: asksFor(file), path: file.Path,
		content: file.Content, next: next, agreed: yes,
	}, f.JSON)
}

// trustRun is trust for a stored run.
func (a *commands) trustRun(store *trust.Store, f *spec.Spec, name string, yes bool) error {
	l, err := a.ReadLedger(f.Ledger)
	if err != nil {
		return err
	}
	defer l.Close()
	r, err := a.Library(l).Stored.Run(name)
	if err != nil {
		return err
	}
	row := r.Row
	s, err := a.StandingOf(l, app.RunRef(row.ID))
	if err != nil {
		return err
	}
	asks := app.AsksOf(r.Record)
	if len(asks) == 0 {
		return fail.New(fail.BadInput, "run %s asks for nothing: hone executes and reads nothing that it names", row.ID)
	}
	if s.Own && !f.JSON {
		_, err := fmt.Fprintf(a.Stdout, "run %s was measured by your own hone: it needs no trust\n", row.ID)
		return err
	}
	return a.consent(store, consent{
		head: "run " + row.ID + " makes hone do, when it is measured again:", asks: asks, path: s.Path,
		content: s.Content,
		next:    "hone advise --verify " + row.ID, agreed: yes,
	}, f.JSON)
}

// consent is what the user agrees to.
type consent struct {
	head string
	// asks are the commands and the like, a line each.
	asks    []string
	path    string
	content []byte
	next    string // the command that did not go before
	agreed  bool   // the user gave --yes, so that hone does not ask
}

// consent shows what is asked for, and records that the user agrees to just that.
func (a *commands) consent(store *trust.Store, c consent, asJSON bool) error {
	if !asJSON {
		said := printable.Line(c.head) + "\n"
		for _, ask := range c.asks {
			said += printable.Indented(ask) + "\n"
		}
		if _, err := io.WriteString(a.Stdout, said); err != nil {
			return fail.New(fail.Environment, "print what is to be trusted: %w", err)
		}
		if !c.agreed {
			if err := a.Agree("allow it?"); err != nil {
				return err
			}
		}
	}
	if err := store.Trust(c.path, c.content, time.Now()); err != nil {
		return err
	}
	sum := trust.Hash(c.content)
	if asJSON {
		return a.PrintJSON(struct {
			Schema string   `json:"schema"`
			Path   string   `json:"path"`
			SHA256 string   `json:"sha256"`
			Asks   []string `json:"asks"`
		}{"hone.trust-file/1", c.path, sum, c.asks})
	}
	_, err := fmt.Fprintf(a.Stdout, "trusted: %s (SHA-256 %s)\nnext: %s\n", c.path, sum, c.next)
	return err
}

// namesRun says whether a word is the name of a stored run, and of no file.
func namesRun(word string) bool {
	_, err := os.Lstat(word)
	return err != nil && ledger.IsName(word)
}

// fileOf reads the file that was named, or the nearest.
func fileOf(args []string) (*config.File, error) {
	if len(args) > 0 {
		return config.Read(args[0], args[0])
	}
	file, err := app.NearestFile()
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

func (a *commands) forgetTrust(store *trust.Store, dir string, args []string) error {
	path := ""
	if len(args) > 0 && namesRun(args[0]) {
		l, err := a.ReadLedger(dir)
		if err != nil {
			return err
		}
		defer l.Close()
		row, err := l.Run(args[0])
		if err != nil {
			return err
		}
		path = app.TrustPath(l.Dir(), app.RunRef(row.ID))
	} else if len(args) > 0 {
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
		return fail.New(fail.BadInput, "%s was not trusted",
			path).WithHint("hone trust --list shows the files that are")
	}
	_, err = fmt.Fprintf(a.Stdout, "forgotten: %s\n", path)
	return err
}

func (a *commands) listTrust(store *trust.Store, asJSON bool) error {
	entries, err := store.List()
	if err != nil {
		return err
	}
	if asJSON {
		return a.PrintJSON(struct {
			Schema string        `json:"schema"`
			Files  []trust.Entry `json:"files"`
		}{"hone.trust-list/1", entries})
	}
	for _, e := range entries {
		if _, err := fmt.Fprintf(a.Stdout, "%s  %.12s  %s\n", e.Since.Local().Format(time.DateTime), e.SHA256,
			config.Show(e.Path)); err != nil {
			return err
		}
	}
	return nil
}
