package sources

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"

	"github.com/gohone/hone/internal/sys/paths"
	"github.com/gohone/hone/internal/text/fail"
)

// Overlay are files that a build sees instead of others, by absolute path; "" hides a file
// (go help build, -overlay).
type Overlay struct {
	Replace map[string]string
}

// TestsOf is the overlay that gives the package in one directory the tests of another: its
// _test.go files, the files that those embed, and no test of its own.
func TestsOf(from, to Listed) (Overlay, error) {
	o := Overlay{map[string]string{}}
	for _, name := range append(to.TestEmbedFiles, to.XTestEmbedFiles...) {
		o.Replace[filepath.Join(to.Dir, name)] = ""
	}
	for _, name := range append(from.TestEmbedFiles, from.XTestEmbedFiles...) {
		o.Replace[filepath.Join(to.Dir, name)] = filepath.Join(from.Dir, name)
	}
	own, errOwn := paths.Named(to.Dir, "*_test.go")
	theirs, errTheirs := paths.Named(from.Dir, "*_test.go")
	for _, path := range own {
		o.Replace[path] = ""
	}
	for _, path := range theirs {
		o.Replace[filepath.Join(to.Dir, filepath.Base(path))] = path
	}
	return o, errors.Join(errOwn, errTheirs)
}

// And is both overlays; where both name a file, the other one's counts.
func (o Overlay) And(other Overlay) Overlay {
	all := Overlay{maps.Clone(other.Replace)}
	for path, in := range o.Replace {
		if _, there := all.Replace[path]; !there {
			all.Replace[path] = in
		}
	}
	return all
}

// Flag writes the overlay, together with the one of the user's flags, into a file and
// returns the flag for go; nil if there is nothing to overlay.
func (o Overlay) Flag(file string, s *Side) ([]string, error) {
	if len(o.Replace)+len(s.Replaced) == 0 {
		return nil, nil
	}
	all, err := usersOverlay(s)
	if err != nil {
		return nil, err
	}
	maps.Copy(all.Replace, s.Replaced)
	maps.Copy(all.Replace, o.Replace)
	text, err := json.Marshal(all)
	if err != nil {
		return nil, fmt.Errorf("write overlay: %w", err)
	}
	if err := os.WriteFile(file, text, 0o600); err != nil {
		return nil, fmt.Errorf("write overlay: %w", err)
	}
	return []string{"-overlay=" + file}, nil
}

// usersOverlay reads the overlay that the user's flags name, with absolute paths.
func usersOverlay(s *Side) (Overlay, error) {
	all := Overlay{map[string]string{}}
	name := overlayOf(s.Flags)
	if name == "" {
		return all, nil
	}
	inDir := func(path string) string {
		if path == "" || filepath.IsAbs(path) {
			return path
		}
		return filepath.Join(s.Dir, path)
	}
	text, err := os.ReadFile(inDir(name))
	var users Overlay
	if err == nil {
		err = json.Unmarshal(text, &users)
	}
	if err != nil {
		return all, fail.New(fail.BadInput, "read overlay %s of --flags: %w", name, err).
			WithHint(`it is a JSON file {"Replace": {"PATH": "OTHER"}}: go help build`)
	}
	for path, other := range users.Replace {
		all.Replace[inDir(path)] = inDir(other)
	}
	return all, nil
}

// overlayOf is the file of the last -overlay among the flags of go; "" if there is none.
func overlayOf(flags []string) (name string) {
	for i, flag := range flags {
		flag = strings.TrimPrefix(flag, "-")
		if value, found := strings.CutPrefix(flag, "-overlay="); found {
			name = value
		} else if value, found := strings.CutPrefix(flag, "overlay="); found {
			name = value
		} else if (flag == "overlay" || flag == "-overlay") && i+1 < len(flags) {
			name = flags[i+1]
		}
	}
	return name
}
