package subject

import (
	"encoding/json"
	"errors"
	"fmt"
	"go/build/constraint"
	"go/version"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gohone/hone/internal/fail"
	"github.com/gohone/hone/probe"
)

// probePrefix is what the added files are called in stack traces and profiles:
// hone_probe.go, hone_flight.go ...
const probePrefix = "hone_"

// writeOverlay writes the probe and the overlay that adds it to the package (go help
// build, -overlay) into out, and returns the path of the overlay. Nothing is written
// into the package's directory. added are the names of the files in that directory, of those
// that a build with goVersion needs.
func writeOverlay(s *Source, out, goVersion string) (path string, added []string, err error) {
	if s.frozen {
		return "", nil, fail.New(fail.BadInput, "add the probe to %s: go allows no overlay in the module cache (%s)", s.Package, s.Dir).
			WithHint("name a directory with its source, or build without the probe (--no-inject)")
	}
	replace := map[string]string{}
	for name, text := range probe.Sources() {
		file := filepath.Join(out, probePrefix+name)
		place, err := freeName(s.Dir, probePrefix+name)
		if err == nil {
			err = os.WriteFile(file, []byte(text), 0o600)
		}
		if err != nil {
			return "", nil, fail.New(fail.Or(fail.Environment, err), "add the probe to %s: %w", s.Package, err)
		}
		replace[place] = file
		if fitsRelease(text, goVersion) {
			added = append(added, filepath.Base(place))
		}
	}
	slices.Sort(added)
	overlay, err := json.Marshal(map[string]map[string]string{"Replace": replace})
	if err != nil {
		return "", nil, fmt.Errorf("write overlay: %w", err)
	}
	path = filepath.Join(out, "overlay.json")
	if err := os.WriteFile(path, overlay, 0o600); err != nil {
		return "", nil, fail.New(fail.Or(fail.Environment, err), "write overlay: %w", err)
	}
	return path, added, nil
}

// fitsRelease says whether a file belongs to a build by its line //go:build, of which hone's
// own name releases of Go only. go asks for it itself, but not of files that are named on its
// command line.
func fitsRelease(text, goVersion string) bool {
	first, _, _ := strings.Cut(text, "\n")
	expr, err := constraint.Parse(first)
	return err != nil || expr.Eval(func(tag string) bool { return version.Compare(tag, goVersion) <= 0 })
}

// freeName returns the path of a file that is not in dir: name, or the like.
func freeName(dir, name string) (string, error) {
	path := filepath.Join(dir, name)
	for i := 2; ; i++ {
		_, err := os.Lstat(path)
		if errors.Is(err, os.ErrNotExist) {
			return path, nil
		}
		if err != nil {
			return "", err
		}
		path = filepath.Join(dir, fmt.Sprintf("%s%d.go", strings.TrimSuffix(name, ".go"), i))
	}
}
