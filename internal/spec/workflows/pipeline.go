package workflows

import (
	"cmp"
	"go/version"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/gohone/hone/internal/spec/config"
	"github.com/gohone/hone/internal/text/fail"
)

// Pipeline is what the workflows of a repository measure.
type Pipeline struct {
	// Jobs measure one module each; of a workspace one job measures all.
	Jobs []Job
	// Percent is the limit of the gate.
	Percent float64
	// Left says what is not measured, and why.
	Left []string

	repository *config.Repository
}

// Job is what one job measures: the benchmarks of packages, or a service.
type Job struct {
	// Name tells the jobs apart; Dir is where hone is called, as seen from the root of the repository.
	Name, Dir string
	// Benchmarks is how many benchmark functions it has, 0 for a service, and Patterns are their packages for the go
	// command.
	Benchmarks int
	Patterns   []string
	// Service is the main package that is loaded where there are no benchmarks, or Configured the hone.yaml that says so.
	Service    *config.Main
	Configured *config.File

	goFile, goVersion string // go.mod or go.work, from the root, and its go line
}

// DefaultPercent is the limit of the gates before anything was measured: shared runners show it within minutes.
const DefaultPercent = 5

// mostJobs bounds the jobs that a pull request starts.
const mostJobs = 8

// sound matches the directories that stand in a workflow as they are: without blanks, quotes and expressions.
var sound = regexp.MustCompile(`^[A-Za-z0-9._][A-Za-z0-9._+@/-]*$`)

// Of chooses what to measure in a repository. Errors are fail.BadInput if there is neither a benchmark nor a server.
func Of(r *config.Repository, percent float64) (*Pipeline, error) {
	p := &Pipeline{Percent: percent, repository: r}
	p.benchmarks()
	if len(p.Jobs) == 0 {
		p.configured()
	}
	if len(p.Jobs) == 0 {
		p.service()
	}
	if len(p.Jobs) == 0 {
		return nil, fail.New(fail.BadInput, "there is no benchmark in %s, and no server: nothing can be measured",
			filepath.Join(r.Root, filepath.FromSlash(r.Dir))).
			WithHint("write a benchmark, func BenchmarkX(b *testing.B), or describe the program with hone init")
	}
	return p, nil
}

// benchmarks makes a job of each module with benchmarks, and one of all those in a workspace.
func (p *Pipeline) benchmarks() {
	r := p.repository
	work := Job{Name: "workspace", Dir: r.Dir, goFile: r.Workspace, goVersion: r.WorkspaceGo}
	for _, m := range r.Modules {
		switch {
		case m.Benchmarks == 0:
		case !sound.MatchString(m.Dir):
			p.Left = append(p.Left, m.Dir+": its name has characters that workflows and shells take for their own")
		case r.Workspace != "" && !m.Used:
			p.Left = append(p.Left, m.Dir+": "+r.Workspace+" does not use it")
		case r.Workspace != "":
			below, _ := filepath.Rel(r.Dir, m.Dir) // Used: it is below
			work.Patterns = append(work.Patterns, pattern(filepath.ToSlash(below)))
			work.Benchmarks += m.Benchmarks
		default:
			p.Jobs = append(p.Jobs, Job{Name: nameOf(m.Dir), Dir: m.Dir, Benchmarks: m.Benchmarks,
				Patterns: []string{"./..."}, goFile: m.File, goVersion: m.Go})
		}
	}
	if work.Benchmarks > 0 {
		p.Jobs = append(p.Jobs, work)
	}
	slices.SortStableFunc(p.Jobs, func(a, b Job) int { return cmp.Compare(b.Benchmarks, a.Benchmarks) })
	for _, j := range p.Jobs[min(mostJobs, len(p.Jobs)):] {
		p.Left = append(p.Left, j.Dir+": the "+strconv.Itoa(mostJobs)+" modules with most benchmarks are measured")
	}
	p.Jobs = p.Jobs[:min(mostJobs, len(p.Jobs))]
	p.distinguish()
}

// distinguish makes the names of the jobs differ: they name artefacts and comments.
func (p *Pipeline) distinguish() {
	seen := map[string]bool{}
	for i := range p.Jobs {
		name := p.Jobs[i].Name
		for n := 2; seen[p.Jobs[i].Name]; n++ {
			p.Jobs[i].Name = name + "-" + strconv.Itoa(n)
		}
		seen[p.Jobs[i].Name] = true
	}
}

// configured makes a job of a hone.yaml that compares with the default branch: a job of a pull request gives that name
// to the base.
func (p *Pipeline) configured() {
	r := p.repository
	if r.File == nil || baselineRef(r.File) == "" || baselineRef(r.File) != r.Branch {
		return
	}
	for _, m := range r.Modules {
		if m.Dir == r.Dir && sound.MatchString(m.Dir) {
			p.Jobs = append(p.Jobs, Job{Name: nameOf(m.Dir), Dir: m.Dir, Configured: r.File, goFile: m.File, goVersion: m.Go})
		}
	}
}

// baselineRef is the git ref of the baseline; empty if that is another variant of the same source.
func baselineRef(f *config.File) string {
	ref, _, found := strings.Cut(f.Variants[f.Baseline.Value].Package.Value, ":./")
	if !found {
		return ""
	}
	return ref
}

// service makes a job of the first server.
func (p *Pipeline) service() {
	r := p.repository
	for _, m := range r.Modules {
		dir := filepath.Join(r.Root, filepath.FromSlash(m.Dir))
		mains, err := config.Discover(dir)
		if err != nil || !sound.MatchString(m.Dir) {
			continue // it has none
		}
		for _, main := range mains {
			listens := main.HTTP || main.Args != nil || main.Socket != nil
			switch {
			case !listens:
			case !sound.MatchString(main.Dir):
				p.Left = append(p.Left, main.Dir+": its name has characters that workflows and shells take for their own")
			case len(p.Jobs) > 0:
				p.Left = append(p.Left, path.Join(m.Dir, main.Dir)+": one service is measured")
			default:
				p.Jobs = append(p.Jobs, Job{Name: nameOf(m.Dir), Dir: m.Dir, Service: &main, goFile: m.File,
					goVersion: m.Go})
			}
		}
	}
}

// nameOf makes a directory part of the name of an artefact.
func nameOf(dir string) string {
	if dir == "." {
		return "root"
	}
	return regexp.MustCompile(`[^A-Za-z0-9._-]+`).ReplaceAllString(dir, "-")
}

// pattern are the packages at and below a directory.
func pattern(dir string) string {
	if dir == "." {
		return "./..."
	}
	return "./" + dir + "/..."
}

// oldestGo is the oldest release that hone builds with (docs/install.md).
const oldestGo = "go1.26"

// fits says whether the release of a go line is one that hone builds with.
func (j Job) fits() bool {
	return version.IsValid("go"+j.goVersion) && version.Compare("go"+j.goVersion, oldestGo) >= 0
}
