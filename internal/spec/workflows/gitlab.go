package workflows

import (
	"cmp"
	"go/version"
	"strings"

	"github.com/gohone/hone/internal/text/shellwords"
)

// GitLabFile is the file that a pipeline includes.
const GitLabFile = ".gitlab/hone.yml"

// Include is what .gitlab-ci.yml has to say.
const Include = "include:\n  - local: " + GitLabFile + "\n"

// GitLab is the gate for merge requests, as a file to include.
func (p *Pipeline) GitLab() ([]Workflow, error) {
	j := p.Jobs[0]
	d := draft{Jobs: p.Jobs, Matrix: len(p.Jobs) > 1, Image: strings.TrimPrefix(oldestGo, "go"), Directory: text(j.Dir)}
	for _, j := range p.Jobs {
		if release := "go" + j.goVersion; version.IsValid(release) && version.Compare(release, "go"+d.Image) > 0 {
			d.Image = strings.TrimPrefix(cmp.Or(version.Lang(release), release), "go")
		}
	}
	switch {
	case d.Matrix:
		d.Directory = `"$DIRECTORY"`
	case j.Dir == ".":
		d.Directory = ""
	}
	// The base is the shell's to fill in; hone's other words are quoted for it.
	const base = "BASE"
	var command string
	switch {
	case j.Benchmarks > 0:
		command = p.command(j, "bench", j.measured(), "--vs", base, "--budget", benchBudget, "--markdown")
	case j.Configured != nil:
		d.Name = text("git branch --force " + shellwords.Quote(baselineRef(j.Configured)) + ` "$base"`)
		command = p.command(j, "compare", nil, "--budget", serviceBudget, "--markdown")
	default:
		sides := []string{base + ":./" + strings.TrimPrefix(j.Service.Dir, "./"), j.Service.Dir}
		command = p.command(j, "compare", sides, "--budget", serviceBudget, "--markdown")
	}
	d.Command = text(strings.Replace(command, base, `"$base"`, 1) + ` > "$CI_PROJECT_DIR/hone.md"`)
	return write(d, Workflow{Path: GitLabFile, template: "gitlab.yml.tmpl",
		Does: "compares each merge request with its base, and fails by " + p.Limit()})
}
