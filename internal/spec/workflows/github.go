package workflows

import (
	"slices"
	"strings"
)

// GitHub are the gate for pull requests, and the workflow that comments.
func (p *Pipeline) GitHub() ([]Workflow, error) {
	j := p.Jobs[0]
	d := draft{Jobs: p.Jobs, Matrix: len(p.Jobs) > 1, Go: p.setupGo(), Inputs: p.inputs(j)}
	d.Names = "[" + strings.Join(each(p.Jobs, func(j Job) string { return text(j.Name) }), ", ") + "]"
	switch {
	case d.Matrix:
		d.Inputs = append(d.Inputs, "working-directory: ${{ matrix.directory }}",
			"artifact: hone-${{ matrix.module }}")
	case j.Dir != ".":
		d.Inputs = append(d.Inputs, "working-directory: "+text(j.Dir))
	}
	return write(d,
		Workflow{Path: ".github/workflows/performance.yml", template: "performance.yml.tmpl",
			Does: "compares each pull request with its base, and fails by " + p.Limit()},
		Workflow{Path: ".github/workflows/performance-comment.yml", template: "performance-comment.yml.tmpl",
			Does: "writes the result into one comment; it works once it is on the default branch"})
}

// series is the branch that has the points of the series.
const series = "hone-series"

// Nightly is the workflow that tracks the default branch, and publishes what it shows. Modules that no workspace holds
// together have a series each, since each is measured for itself. Without benchmarks the service is tracked.
func (p *Pipeline) Nightly() ([]Workflow, error) {
	j := p.Jobs[0]
	d := draft{Jobs: p.Jobs, Matrix: len(p.Jobs) > 1, Go: p.setupGo(), Branch: series}
	d.Names = strings.Join(each(p.Jobs, func(j Job) string { return j.Name }), " ")
	store := "branch:" + series
	switch {
	case d.Matrix:
		d.Directory = "${{ matrix.directory }}"
		store = `"branch:` + series + `-$MODULE"`
	case j.Dir != ".":
		d.Directory = text(j.Dir)
	}
	const place = "PLACE" // the store is the shell's to fill in
	track := j.loaded(slices.Concat([]string{"hone", "track"}, j.measured(), []string{"--store", place}))
	d.Track = text(strings.Replace(track, place, store, 1))
	d.New = text("hone history --new --once --store " + store + ` >> "$GITHUB_STEP_SUMMARY"`)
	return write(d, Workflow{Path: ".github/workflows/performance-series.yml", template: "performance-series.yml.tmpl",
		Does: "tracks the default branch each night in the branch " + series + ", and publishes pages"})
}

// setupGo is the input of actions/setup-go.
func (p *Pipeline) setupGo() string {
	for _, j := range p.Jobs {
		if !j.fits() {
			return "go-version: stable # hone builds with Go " + strings.TrimPrefix(oldestGo, "go") + " or newer"
		}
	}
	if len(p.Jobs) > 1 {
		return "go-version-file: ${{ matrix.directory }}/go.mod"
	}
	return "go-version-file: " + text(p.Jobs[0].goFile)
}

// inputs are those of hone's compare action.
func (p *Pipeline) inputs(j Job) (inputs []string) {
	if j.Benchmarks > 0 {
		alone := "package: none # benchmarks alone"
		if p.repository.File != nil {
			alone += ": without this line the service of hone.yaml is compared, too"
		}
		return []string{alone, "bench: " + text(strings.Join(j.Patterns, " ")), "bench-gates: " + p.gates(j)[0],
			"bench-budget: " + benchBudget}
	}
	if j.Service != nil {
		inputs = append(inputs, "package: "+text(j.Service.Dir))
		if args := j.args(); args != nil {
			inputs = append(inputs, "args: "+text(strings.Join(args, " ")))
		}
		if target := j.Service.Target(); target != "" {
			inputs = append(inputs, "target: "+text(target))
		}
		inputs = append(inputs, "flags: -c "+connections)
	}
	if gates := p.gates(j); len(gates) > 0 {
		inputs = append(inputs, "gates: "+gates[0])
	}
	budget := "budget: " + serviceBudget
	if j.Configured != nil {
		budget += " # hone.yaml says what is compared"
	}
	return append(inputs, budget)
}
