package build

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gohone/hone/internal/program/decisions"
	"github.com/gohone/hone/internal/program/gocommand"
)

// Decisions are what the compiler decided about the functions of some packages, when it built b. It compiles them once
// more, as they were compiled; what go has in its cache it prints again. Package main is "main".
func (b *Binary) Decisions(ctx context.Context, packages []string) (decisions.Listing, error) {
	out := slices.Index(b.Command, "-o")
	targets := slices.Index(b.Command, "--")
	if out < 0 || targets < out {
		return nil, fmt.Errorf("variant %s was not built by go build", b.Variant.Name)
	}
	env := Env(b.Variant)
	args := slices.Concat(b.Command[1:out], []string{"-o", os.DevNull}, b.Command[out+2:targets],
		DecisionFlags(env, b.Variant.BuildFlags, packages), b.Command[targets:])
	if goroot := filepath.Dir(filepath.Dir(b.Command[0])); filepath.IsAbs(b.Command[0]) {
		env = append(env, (&tracedSQL{goroot: goroot}).environment()...)
	}
	wrote, err := gocommand.Printed(ctx, b.Command[0], env, b.WorkDir, args...)
	if err != nil {
		return nil, fmt.Errorf("ask the compiler for its decisions: %w", err)
	}
	return decisions.Parse(wrote, b.Package), nil
}

// DecisionFlags have the compiler print its decisions about some packages, and compile them as flags and the
// environment say. "main" is the package that is named on the command line.
func DecisionFlags(env, flags, packages []string) (all []string) {
	goflags := ""
	for _, entry := range env {
		if value, ok := strings.CutPrefix(entry, "GOFLAGS="); ok {
			goflags = value
		}
	}
	fromEnv, _ := gocommand.SplitFlags(goflags) // a build has gone well with them
	given := gocommand.ReadFlags(append(fromEnv, flags...))
	for _, p := range packages {
		pattern, theirs := p+"=", ""
		if p == "main" {
			pattern = ""
		}
		for _, f := range given {
			if f.Name != "gcflags" {
				continue
			}
			of, value, found := strings.Cut(f.Value, "=")
			switch { // the last one that matches counts (go help build)
			case !found || strings.HasPrefix(of, "-"):
				if p == "main" {
					theirs = f.Value
				}
			case of == "all", of == p, strings.HasSuffix(of, "...") && matches(of, p):
				theirs = value
			}
		}
		all = append(all, "-gcflags="+pattern+strings.TrimLeft(theirs+" "+decisions.Flags, " "))
	}
	return all
}

// matches says whether a pattern with "..." at its end matches a package; "./..." is taken for the user's packages.
func matches(pattern, importPath string) bool {
	begin := strings.TrimSuffix(strings.TrimSuffix(pattern, "..."), "/")
	return strings.HasPrefix(pattern, ".") || strings.HasPrefix(importPath, begin)
}
