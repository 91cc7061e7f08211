package sidebyside

import (
	"context"
	"debug/buildinfo"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"

	"github.com/gohone/hone/bench/proc"
)

// program is one that is built: of Go, or of one file of C.
type program struct {
	// dir is its module, relative to the directory bench, source what to build in it.
	dir, source string
	// module is the library that it is a peer of; empty for our own and for C.
	module string
	// own programs have to build, the others may be missing.
	own bool
}

func own(source string) program { return program{dir: "..", source: source, own: true} }

func peer(source, module string) program {
	return program{dir: "peers", source: source, module: module}
}

// built is what became of a program.
type built struct{ path, version string }

// build builds p into the file path.
func (p program) build(ctx context.Context, path string) (built, error) {
	if filepath.Ext(p.source) == ".c" {
		source, err := os.ReadFile(filepath.Join(p.dir, p.source))
		if err == nil {
			err = proc.BuildC(ctx, path, source)
		}
		return built{path, "gcc -O2"}, err
	}
	b := built{path, runtime.Version()}
	if err := proc.BuildGo(ctx, p.dir, path, p.source); err != nil || p.module == "" {
		return b, err
	}
	info, err := buildinfo.ReadFile(path)
	if err != nil {
		return b, fmt.Errorf("read the version of %s: %w", p.module, err)
	}
	for _, d := range info.Deps {
		if d.Path == p.module {
			b.version = d.Version
			return b, nil
		}
	}
	return b, fmt.Errorf("read the version of %s: %s is built without it", p.module, p.source)
}

// skip is a program that could not be built.
type skip struct {
	Name   string `json:"name"`
	Reason string `json:"reason"`
}

// build builds what the kinds need, each program once. A peer that does not build is
// skipped, which is told.
func (l *lab) build(ctx context.Context) error {
	l.built = map[program]built{}
	for i, p := range l.programs() {
		fmt.Fprintln(os.Stderr, "build", p.source)
		b, err := p.build(ctx, filepath.Join(l.dir, fmt.Sprintf("p%d", i)))
		switch {
		case err == nil:
			l.built[p] = b
		case p.own, ctx.Err() != nil:
			return err
		default:
			l.skipped = append(l.skipped, skip{Name: p.source, Reason: err.Error()})
		}
	}
	return nil
}

// programs are those of all contests.
func (l *lab) programs() (all []program) {
	add := func(p program) {
		if p != (program{}) && !slices.Contains(all, p) {
			all = append(all, p)
		}
	}
	for _, k := range l.kinds {
		for _, c := range k.contests(l) {
			for _, e := range c.Entrants {
				add(e.program)
				add(e.client)
			}
		}
	}
	return all
}
