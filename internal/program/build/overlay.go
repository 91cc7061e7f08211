package build

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/build/constraint"
	"go/version"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gohone/hone/internal/program/gocommand"
	"github.com/gohone/hone/internal/program/source"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/probe"
)

// probePrefix is what the added files are called in stack traces and profiles:
// hone_probe.go, hone_flight.go ...
const probePrefix = "hone_"

// writeOverlay writes what the build of a variant replaces or adds (go help build, -overlay) into
// out: the files of the variant, the probe unless the package has it or is to be without, and a
// database/sql whose statements are seen unless nothing is to be added.
// It returns them by what they replace; no files if nothing is replaced. Nothing is written
// into the package's directory. added is what to name beside the files of a package that is
// made of named files; in a directory go finds them by itself.
func writeOverlay(ctx context.Context, s *source.Source, v Variant, env []string,
	out string) (replace map[string]string, added []string, sql tracedSQL, err error) {
	probed := !v.NoInject && !s.ImportsProbe
	if s.Frozen && (probed || len(v.Overlay) > 0) {
		return nil, nil, sql, noOverlay(s)
	}
	if replace, err = replaceFiles(v.Overlay, out); err != nil {
		return nil, nil, sql, err
	}
	if !v.NoInject {
		if sql, err = traceSQL(ctx, s, v, env, out); err != nil {
			return nil, nil, sql, err
		}
		maps.Copy(replace, sql.replace)
	}
	if probed {
		goVersion := ""
		if s.OfFiles() {
			settings, err := gocommand.ReadSettings(ctx, env, s.WorkDir)
			if err != nil {
				return nil, nil, sql, err
			}
			goVersion = gocommand.ReleaseOf(settings.GOVERSION)
		}
		files, err := writeProbe(s, out, goVersion, replace)
		if err != nil {
			return nil, nil, sql, err
		}
		if s.OfFiles() {
			added = files
		}
	}
	return replace, added, sql, nil
}

func noOverlay(s *source.Source) error {
	return fail.New(fail.BadInput, "add the probe to %s: go allows no overlay in the module cache (%s)", s.Package,
		s.Dir).
		WithHint("name a directory with its source, or build without the probe (--set no-inject)")
}

// replaceFiles writes the files of a variant's overlay into out, and returns them by what they
// replace.
func replaceFiles(overlay map[string]string, out string) (replace map[string]string, err error) {
	replace = map[string]string{}
	for i, place := range slices.Sorted(maps.Keys(overlay)) {
		if !filepath.IsAbs(place) {
			return nil, fail.New(fail.BadInput, "overlay of %s: want an absolute path", place)
		}
		file := filepath.Join(out, fmt.Sprintf("overlay%d_%s", i, filepath.Base(place)))
		if err := os.WriteFile(file, []byte(overlay[place]), 0o600); err != nil {
			return nil, fail.New(fail.Or(fail.Environment, err), "write overlay: %w", err)
		}
		replace[place] = file
	}
	return replace, nil
}

// writeProbe writes the probe into out and notes what it replaces. It returns the names of the
// files in the package's directory, of those that a build with goVersion needs.
func writeProbe(s *source.Source, out, goVersion string, replace map[string]string) (added []string, err error) {
	for name, text := range probe.Sources() {
		file := filepath.Join(out, probePrefix+name)
		place, err := freeName(s.Dir, probePrefix+name)
		if err == nil {
			err = os.WriteFile(file, []byte(text), 0o600)
		}
		if err != nil {
			return nil, fail.New(fail.Or(fail.Environment, err), "add the probe to %s: %w", s.Package, err)
		}
		replace[place] = file
		if fitsRelease(text, goVersion) {
			added = append(added, filepath.Base(place))
		}
	}
	slices.Sort(added)
	return added, nil
}

// overlayFile is where the overlay of a build is.
func overlayFile(out string) string { return filepath.Join(out, "overlay.json") }

// writeReplace writes the overlay itself.
func writeReplace(replace map[string]string, out string) error {
	overlay, err := json.Marshal(map[string]map[string]string{"Replace": replace})
	if err != nil {
		return fmt.Errorf("write overlay: %w", err)
	}
	if err := os.WriteFile(overlayFile(out), overlay, 0o600); err != nil {
		return fail.New(fail.Or(fail.Environment, err), "write overlay: %w", err)
	}
	return nil
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
