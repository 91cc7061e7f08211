package workflows

import (
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"github.com/gohone/hone/internal/spec/config"
	"github.com/gohone/hone/internal/text/shellwords"
)

// Budgets of the gates. A comparison ends as soon as its gates are decided.
const (
	benchBudget   = "5m"
	serviceBudget = "120s"
)

// connections are those that a service is loaded with, as in the hone.yaml that hone init writes.
const connections = "10"

// gates are the limits as hone takes them: that of the pipeline, or those that hone.yaml has.
func (p *Pipeline) gates(j Job) []string {
	limit := "<+" + strconv.FormatFloat(p.Percent, 'g', -1, 64) + "%"
	switch {
	case j.Benchmarks > 0:
		return []string{"time" + limit}
	case j.Configured != nil && len(j.Configured.Gates) > 0:
		return nil
	}
	return []string{"cpu" + limit}
}

// Limit says by which limit the gate fails.
func (p *Pipeline) Limit() string {
	if gates := p.gates(p.Jobs[0]); len(gates) > 0 {
		return gates[0]
	}
	return "the gates of " + config.Name
}

// args are those that make the service listen.
func (j Job) args() []string {
	if j.Service.Args != nil {
		return j.Service.Args
	}
	return j.Service.Socket
}

// load are the flags that load the service, and its arguments; none for benchmarks, and where hone.yaml has them.
func (j Job) load() (words []string) {
	if j.Service == nil {
		return nil
	}
	if target := j.Service.Target(); target != "" {
		words = append(words, "--target", target)
	}
	words = append(words, "-c", connections)
	if args := j.args(); args != nil {
		words = slices.Concat(words, []string{"--"}, args)
	}
	return words
}

// command is a command line of hone: hone bench or another command, what is measured, and flags in between.
func (p *Pipeline) command(j Job, name string, measured []string, flags ...string) string {
	words := slices.Concat([]string{"hone", name}, measured)
	if gates := p.gates(j); len(gates) > 0 {
		words = append(words, "--gate", gates[0])
	}
	return j.loaded(append(words, flags...))
}

// loaded is a command line with what loads the service.
func (j Job) loaded(words []string) string {
	line := shellwords.Join(append(words, j.load()...))
	if j.Configured != nil {
		return "hone trust && " + line
	}
	return line
}

// measured are the packages that hone is given; none where hone.yaml names them.
func (j Job) measured() []string {
	if j.Service != nil {
		return []string{j.Service.Dir}
	}
	return j.Patterns
}

// Proof is the command that shows that the gate can fail, called in the searched directory.
func (p *Pipeline) Proof() string {
	j := p.Jobs[0]
	name := "compare"
	if j.Benchmarks > 0 {
		name = "bench"
	}
	return p.enter(j) + p.command(j, name, j.measured(), "--prove-gate")
}

// enter leads from the searched directory to that of the job.
func (p *Pipeline) enter(j Job) string {
	below, err := filepath.Rel(p.repository.Dir, j.Dir)
	if err != nil || below == "." {
		return ""
	}
	return "cd " + shellwords.Quote(filepath.ToSlash(below)) + " && "
}

// Measurement are the words after hone that compare the first job with itself for a budget, and the directory that
// they are called in. That shows what the gate of the job can show here.
func (p *Pipeline) Measurement(budget time.Duration) (dir string, words []string) {
	j := p.Jobs[0]
	dir = filepath.Join(p.repository.Root, filepath.FromSlash(j.Dir))
	flags := []string{"--budget", budget.String(), "--json", "--no-report"}
	if j.Benchmarks > 0 {
		return dir, slices.Concat([]string{"bench"}, j.Patterns, []string{"--vs", "./", "--all"}, flags)
	}
	return dir, slices.Concat([]string{"calibrate"}, j.measured(), flags, j.load())
}

// steps are the limits to choose from, in percent.
var steps = []float64{2, 3, 5, 7, 10, 15, 20, 30, 50}

// LimitFor chooses the limit, in percent, from the smallest changes that comparisons show in four of five cases, as
// fractions: one for each benchmark. A change of one and a half times the limit, as --prove-gate plants it, lies half a
// limit beyond it, and that half has to show for nine of ten benchmarks. The second result is false if no step will do.
func LimitFor(smallest []float64) (percent float64, ok bool) {
	if len(smallest) == 0 {
		return 0, false
	}
	sorted := slices.Sorted(slices.Values(smallest))
	shown := 100 * sorted[(9*len(sorted)+9)/10-1]
	i := slices.IndexFunc(steps, func(step float64) bool { return step/2 >= shown })
	if i < 0 {
		return 0, false
	}
	return steps[i], true
}
