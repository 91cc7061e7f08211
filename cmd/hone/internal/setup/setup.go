// Package setup writes the workflows of hone init --github and --gitlab, and says what to do with them.
package setup

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"

	"github.com/gohone/hone/cmd/hone/internal/app"
	"github.com/gohone/hone/internal/spec/config"
	"github.com/gohone/hone/internal/spec/workflows"
	"github.com/gohone/hone/internal/sys/outfile"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/shellwords"
)

// Options are the flags of hone init that are about workflows.
type Options struct {
	GitHub, GitLab, Nightly bool
	// Measure is how long to measure what the gate can show; 0 keeps workflows.DefaultPercent.
	Measure time.Duration
	// Force replaces files that are there, and Print writes none.
	Force, Print bool
}

// Check refuses options that do not go together.
func (o Options) Check() error {
	switch {
	case o.Nightly && !o.GitHub:
		return fail.New(fail.BadInput, "--nightly is for --github").WithHint("hone init --github --nightly")
	case o.Measure != 0 && !o.GitHub && !o.GitLab:
		return fail.New(fail.BadInput, "--measure chooses the limit of a gate, and no gate is written").
			WithHint("hone init --github --measure, or hone init --gitlab --measure")
	case o.Measure < 0:
		return fail.New(fail.BadInput, "--measure %v: the time to measure has to be more than 0", o.Measure).WithHint("--measure=2m")
	}
	return nil
}

// Workflows looks at the repository around the working directory, and writes the workflows.
func Workflows(a *app.App, o Options) error {
	dir, err := app.WorkDir()
	if err != nil {
		return err
	}
	repository, err := config.Survey(dir)
	if err != nil {
		return err
	}
	p, err := workflows.Of(repository, workflows.DefaultPercent)
	if err != nil {
		return err
	}
	s := setup{App: a, asked: o, repository: repository, pipeline: p}
	if o.Measure > 0 {
		if err := s.measure(); err != nil {
			return err
		}
	}
	files, err := s.drafts()
	if err != nil {
		return err
	}
	if !o.Print {
		if err := s.write(files); err != nil {
			return err
		}
	}
	for _, f := range files {
		if _, err := fmt.Fprintf(a.Stdout, "# %s\n%s\n", f.Path, f.Text); err != nil {
			return err
		}
	}
	return s.say(files)
}

type setup struct {
	*app.App
	asked      Options
	repository *config.Repository
	pipeline   *workflows.Pipeline
}

// gitLabCI is the file of a project's pipeline. It is written where there is none, and never changed.
const gitLabCI = ".gitlab-ci.yml"

// drafts are the files to write.
func (s setup) drafts() (files []workflows.Workflow, err error) {
	for _, d := range []struct {
		wanted bool
		draft  func() ([]workflows.Workflow, error)
	}{{s.asked.GitHub, s.pipeline.GitHub}, {s.asked.Nightly, s.pipeline.Nightly}, {s.asked.GitLab, s.pipeline.GitLab}} {
		if !d.wanted {
			continue
		}
		more, err := d.draft()
		if err != nil {
			return nil, err
		}
		files = append(files, more...)
	}
	if s.asked.GitLab && !s.there(gitLabCI) {
		files = append(files, workflows.Workflow{Path: gitLabCI, Text: []byte(workflows.Include),
			Does: "includes it"})
	}
	return files, nil
}

func (s setup) there(name string) bool {
	_, err := os.Lstat(filepath.Join(s.repository.Root, filepath.FromSlash(name)))
	return !errors.Is(err, fs.ErrNotExist)
}

// write writes all files, or none if one of them is there. No link of the repository leads out of it.
func (s setup) write(files []workflows.Workflow) error {
	for _, f := range files {
		if s.there(f.Path) && !s.asked.Force {
			return fail.New(fail.BadInput, "there is a %s already, and nothing was written", f.Path).
				WithHint("add --print to see what would be written, or --force to replace it")
		}
	}
	root, err := os.OpenRoot(s.repository.Root)
	if err != nil {
		return fail.New(fail.Environment, "open the repository: %w", err)
	}
	defer root.Close()
	for _, f := range files {
		err := root.MkdirAll(filepath.FromSlash(path.Dir(f.Path)), 0o755)
		if err == nil {
			err = outfile.WriteBelow(s.repository.Root, filepath.FromSlash(f.Path), 0o644, func(w io.Writer) error {
				_, err := w.Write(f.Text)
				return err
			})
		}
		if err != nil {
			return fail.New(fail.Storage, "write %s: %w", f.Path, err).
				WithHint("add --print: it writes them to standard output")
		}
	}
	return nil
}

// branch is what the printed commands push.
const branch = "hone-gate"

// say tells what was written, and the next steps.
func (s setup) say(files []workflows.Workflow) error {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	for _, left := range s.pipeline.Left {
		line("not measured: %s", left)
	}
	if s.asked.Print {
		_, err := io.WriteString(s.Stderr, b.String())
		return err
	}
	add := []string{"git", "add"}
	for _, f := range files {
		line("wrote %s: it %s", f.Path, f.Does)
		if s.repository.Dir == "." {
			add = append(add, f.Path)
		} else {
			add = append(add, ":/"+f.Path) // from the root of the repository (gitglossary, pathspec)
		}
	}
	if s.asked.GitLab && s.there(gitLabCI) && files[len(files)-1].Path != gitLabCI {
		line("add to %s:\n%s", gitLabCI, strings.TrimSuffix(workflows.Include, "\n"))
		add = append(add, ":/"+gitLabCI)
	}
	line("push it as a branch:")
	line("  git switch -c %s", branch)
	line("  %s && git commit -m 'Measure performance with hone'", shellwords.Join(add))
	line("  git push -u origin %s", branch)
	line("then prove once that the gate can fail; this has to end with 1:")
	line("  %s", s.pipeline.Proof())
	_, err := io.WriteString(s.Stderr, b.String())
	return err
}
