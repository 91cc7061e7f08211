package bisect

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gohone/hone/internal/program/gocommand"
	"github.com/gohone/hone/internal/store/commitsearch"
	"github.com/gohone/hone/internal/sys/git"
)

// modules are the requirements of go.mod that differ between two commits.
func (t *trees) modules(ctx context.Context, before, after git.Commit) (all []commitsearch.Module, err error) {
	files, err := git.ChangedFiles(ctx, t.dir, []git.Commit{{Hash: after.Hash, Parents: []string{before.Hash}}})
	if err != nil {
		return nil, err
	}
	for _, file := range files[0] {
		if path.Base(file) != "go.mod" {
			continue
		}
		var versions [2]map[string]string
		for i, c := range []git.Commit{before, after} {
			if versions[i], err = t.required(ctx, fileAt(ctx, t.dir, c, file)); err != nil {
				return nil, err
			}
		}
		was, is := versions[0], versions[1]
		for name, version := range is {
			if was[name] != version {
				all = append(all, commitsearch.Module{Path: name, Before: was[name], After: version})
			}
		}
		for name, version := range was {
			if _, still := is[name]; !still {
				all = append(all, commitsearch.Module{Path: name, Before: version, After: ""})
			}
		}
	}
	slices.SortFunc(all, func(a, b commitsearch.Module) int { return strings.Compare(a.Path, b.Path) })
	return all, nil
}

// required are the versions that a go.mod requires, with go and toolchain among them, as the go command reads them.
func (t *trees) required(ctx context.Context, text []byte) (map[string]string, error) {
	if len(bytes.TrimSpace(text)) == 0 {
		return map[string]string{}, nil
	}
	file := filepath.Join(t.temp.Path, "go.mod.read")
	if err := os.WriteFile(file, text, 0o600); err != nil {
		return nil, err
	}
	out, _, err := gocommand.Ask(ctx, os.Environ(), t.temp.Path, "mod", "edit", "-json", file)
	if err != nil {
		return nil, err
	}
	var f struct {
		Go, Toolchain string
		Require       []struct{ Path, Version string }
	}
	if err := json.Unmarshal(out, &f); err != nil {
		return nil, fmt.Errorf("read what go mod edit says: %w", err)
	}
	all := map[string]string{}
	for _, r := range f.Require {
		all[r.Path] = r.Version
	}
	for name, version := range map[string]string{"go": f.Go, "toolchain": f.Toolchain} {
		if version != "" {
			all[name] = version
		}
	}
	return all, nil
}
