package cases

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gohone/hone/bench/bed"
	"github.com/gohone/hone/bench/proc"
)

// FirstBuild times the first build of hone from source: with all modules downloaded and an empty build cache. It says
// which modules the CPU time goes to, from the go command's own list of actions.
var FirstBuild = bed.Case{Name: "firstbuild", Shows: "the first build of hone, and which modules it goes to",
	Takes: "minutes", Run: measureFirstBuild}

// action is a step of a build, as go build -debug-actiongraph writes it; times in nanoseconds.
type action struct {
	Mode, Package            string
	CmdReal, CmdUser, CmdSys int64
}

func measureFirstBuild(ctx context.Context, b *bed.Bed) error {
	if err := b.Start(ctx); err != nil {
		return err
	}
	modules, err := moduleOfPackages()
	if err != nil {
		return err
	}
	graph := filepath.Join(b.Dir, "actions.json")
	done, err := proc.Run(ctx, -1, proc.Command{
		Program: "go", Args: []string{"build", "-debug-actiongraph=" + graph, "-o", filepath.Join(b.Dir, "hone-first"),
			"./cmd/hone"}, Dir: "..",
		Env: []string{"CGO_ENABLED=0", "GOCACHE=" + filepath.Join(b.Dir, "cache")},
	})
	if err != nil {
		return err
	}
	text, err := os.ReadFile(graph)
	if err != nil {
		return err
	}
	var actions []action
	if err := json.Unmarshal(text, &actions); err != nil {
		return err
	}
	parts, packages := partsOf(actions, modules)
	var all time.Duration
	for _, p := range parts {
		all += p.cpu
	}
	t := b.Table("Parts", "part", "packages", "CPU, s", "share")
	rest := part{name: "all others"}
	const shown = 12
	for i, p := range parts {
		if i >= shown {
			rest.packages, rest.cpu = rest.packages+p.packages, rest.cpu+p.cpu
			continue
		}
		t.Row(p.row(all)...)
	}
	t.Row(rest.row(all)...)
	b.Claim("the first build of hone from source, with an empty build cache", "%d packages, %.0f s, %.0f s of CPU time",
		packages, done.Wall.Seconds(), all.Seconds())
	return nil
}

// part is what one module, or the linker, takes.
type part struct {
	name     string
	packages int
	cpu      time.Duration
}

func (p part) row(all time.Duration) []string {
	return []string{p.name, fmt.Sprint(p.packages), fmt.Sprintf("%.1f", p.cpu.Seconds()),
		fmt.Sprintf("%.0f %%", 100*p.cpu.Seconds()/all.Seconds())}
}

// partsOf adds up the actions, the largest part first, and counts the packages that were compiled.
func partsOf(actions []action, modules map[string]string) (parts []part, packages int) {
	by := map[string]*part{}
	for _, a := range actions {
		name := cmp.Or(modules[a.Package], "the standard library")
		switch a.Mode {
		case "link":
			name = "link"
		case "build":
		default:
			continue
		}
		if by[name] == nil {
			by[name] = &part{name: name}
		}
		if a.Mode == "build" {
			by[name].packages++
			packages++
		}
		by[name].cpu += time.Duration(a.CmdUser + a.CmdSys)
	}
	for _, p := range by {
		parts = append(parts, *p)
	}
	slices.SortFunc(parts, func(a, b part) int {
		return cmp.Or(cmp.Compare(b.cpu, a.cpu), cmp.Compare(a.name, b.name))
	})
	return parts, packages
}

// moduleOfPackages are the modules of the packages that hone links, by import path; those of the standard library have
// none.
func moduleOfPackages() (map[string]string, error) {
	list := exec.Command("go", "list", "-deps", "-f", "{{if .Module}}{{.ImportPath}} {{.Module.Path}}{{end}}",
		"./cmd/hone")
	list.Dir, list.Env, list.Stderr = "..", append(os.Environ(), "CGO_ENABLED=0"), os.Stderr
	out, err := list.Output()
	if err != nil {
		return nil, err
	}
	modules := map[string]string{}
	for line := range strings.Lines(string(out)) {
		pkg, module, ok := strings.Cut(strings.TrimSpace(line), " ")
		if ok {
			modules[pkg] = module
		}
	}
	return modules, nil
}
