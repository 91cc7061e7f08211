// Command firstbuild times the first build of hone from source: with all modules downloaded and an empty build cache.
// It says which modules the CPU time goes to, from the go command's own list of actions.
package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

func main() {
	if err := run(); err != nil {
		log.Fatal(err)
	}
}

// action is a step of a build, as go build -debug-actiongraph writes it; times in nanoseconds.
type action struct {
	Mode, Package            string
	CmdReal, CmdUser, CmdSys int64
}

func run() error {
	temp, err := os.MkdirTemp("", "hone-firstbuild-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temp)
	modules, err := moduleOfPackages()
	if err != nil {
		return err
	}
	graph := filepath.Join(temp, "actions.json")
	build := exec.Command("go", "build", "-debug-actiongraph="+graph, "-o", filepath.Join(temp, "hone"), "./cmd/hone")
	build.Dir = ".."
	build.Env = append(os.Environ(), "CGO_ENABLED=0", "GOCACHE="+filepath.Join(temp, "cache"))
	build.Stderr = os.Stderr
	began := time.Now()
	if err := build.Run(); err != nil {
		return err
	}
	took := time.Since(began)
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
	version, err := exec.Command("go", "env", "GOVERSION").Output()
	if err != nil {
		return err
	}
	fmt.Printf("%s, %s: %d packages, %.0f s, %.0f s of CPU time\n\n| part | packages | CPU, s | share |\n|---|---|---|---|\n",
		time.Now().UTC().Format(time.DateOnly), strings.TrimSpace(string(version)), packages, took.Seconds(), all.Seconds())
	const shown = 12
	rest := part{name: "all others"}
	for i, p := range parts {
		if i >= shown {
			rest.packages += p.packages
			rest.cpu += p.cpu
			continue
		}
		p.print(all)
	}
	rest.print(all)
	return nil
}

// part is what one module, or the linker, takes.
type part struct {
	name     string
	packages int
	cpu      time.Duration
}

func (p part) print(all time.Duration) {
	fmt.Printf("| %s | %d | %.1f | %.0f %% |\n", p.name, p.packages, p.cpu.Seconds(), 100*p.cpu.Seconds()/all.Seconds())
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
	slices.SortFunc(parts, func(a, b part) int { return cmp.Or(cmp.Compare(b.cpu, a.cpu), cmp.Compare(a.name, b.name)) })
	return parts, packages
}

// moduleOfPackages are the modules of the packages that hone links, by import path; those of the standard library have none.
func moduleOfPackages() (map[string]string, error) {
	list := exec.Command("go", "list", "-deps", "-f", "{{if .Module}}{{.ImportPath}} {{.Module.Path}}{{end}}", "./cmd/hone")
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
