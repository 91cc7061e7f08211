package cheats

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gohone/hone/bench/bed"
	"golang.org/x/tools/txtar"
)

// corpusDir has the bases and the pairs, from the directory bench.
const corpusDir = "cheats"

// honest is the kind of those that make the same work cheaper.
const honest = "honest"

// The bases.
const (
	things = "things" // a service
	sums   = "sums"   // a package with benchmarks
)

// pair is a change of a base.
type pair struct {
	Name, Half string
	// Does is a sentence on B, Kind the kind of cheat, Proof what a user sees of it: see proofs.
	Does, Kind, Proof string
	Base              string
	// Path is what the load asks for, Flags are further flags of hone, Gate is what a gain alone passes.
	Path, Flags, Gate string
	// Bench is the benchmark of a package.
	Bench string
	// Backend says that each request asks another server.
	Backend string
	// Tags are those that a user's build has, and hone's has not.
	Tags  string
	files []txtar.File
}

// fields are those of a pair's head, by their keys.
func (p *pair) fields() map[string]*string {
	return map[string]*string{"does": &p.Does, "kind": &p.Kind, "proof": &p.Proof, "base": &p.Base, "path": &p.Path,
		"flags": &p.Flags, "gate": &p.Gate, "bench": &p.Bench, "backend": &p.Backend, "tags": &p.Tags}
}

// corpus reads all pairs, by half and name.
func corpus() (all []pair, failed error) {
	for _, half := range []string{bed.HalfOpen, bed.HalfClosed} {
		files, err := filepath.Glob(filepath.Join(corpusDir, half, "*.txtar"))
		failed = errors.Join(failed, err)
		for _, file := range files {
			p, err := read(file, half)
			failed = errors.Join(failed, err)
			all = append(all, p)
		}
	}
	return all, failed
}

// read reads a pair. The error names the line.
func read(file, half string) (pair, error) {
	p := pair{Name: strings.TrimSuffix(filepath.Base(file), ".txtar"), Half: half}
	archive, err := txtar.ParseFile(file)
	if err != nil {
		return p, fmt.Errorf("read a pair: %w", err)
	}
	p.files = archive.Files
	known := p.fields()
	for i, line := range strings.Split(strings.TrimSpace(string(archive.Comment)), "\n") {
		key, value, ok := strings.Cut(line, ": ")
		if !ok || known[key] == nil || *known[key] != "" {
			return p, fmt.Errorf("%s:%d: %q: want KEY: VALUE, each key once, of does, kind, proof, base, path, flags, "+
				"bench, backend, tags", file, i+1, line)
		}
		*known[key] = value
	}
	gates := map[string]string{things: "cpu<-1%", sums: "time<-1%"}
	p.Path, p.Gate = cmp.Or(p.Path, "/things/42"), cmp.Or(p.Gate, gates[p.Base])
	switch {
	case p.Does == "" || p.Kind == "":
		err = errors.New("want does and kind")
	case p.Base != things && p.Base != sums, (p.Base == sums) != (p.Bench != ""):
		err = errors.New("want base things, or base sums with a bench")
	case proofs[p.Proof] == nil:
		err = fmt.Errorf("unknown proof %q", p.Proof)
	case slices.ContainsFunc(p.files, func(f txtar.File) bool { return f.Name == "work.go" }):
		err = errors.New("work.go is what proofs count by: leave it")
	}
	if err != nil {
		return p, fmt.Errorf("%s: %w", file, err)
	}
	return p, nil
}

// write writes A or B into a directory of its own below dir: the files of the base, and of B those of the pair.
func (p pair) write(dir string, b bool) (string, error) {
	base, err := txtar.ParseFile(filepath.Join(corpusDir, "base", p.Base+".txtar"))
	if err != nil {
		return "", fmt.Errorf("read a base: %w", err)
	}
	into, files := filepath.Join(dir, "A-"+p.Base), base.Files
	if b {
		into, files = filepath.Join(dir, "B-"+p.Half+"-"+p.Name), append(files, p.files...)
	}
	return into, put(into, files)
}

// put writes files; of two with one name the later one.
func put(dir string, files []txtar.File) error {
	for _, f := range files {
		path := filepath.Join(dir, filepath.FromSlash(f.Name))
		err := os.MkdirAll(filepath.Dir(path), 0o700)
		if err = errors.Join(err, os.WriteFile(path, f.Data, 0o600)); err != nil {
			return fmt.Errorf("write a program: %w", err)
		}
	}
	return nil
}
