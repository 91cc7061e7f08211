package subject

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/gohone/hone/internal/fail"
	"github.com/gohone/hone/probe"
)

// probeFileName is what the added file is called in stack traces and profiles.
const probeFileName = "hone_probe.go"

// writeOverlay writes the probe and the overlay that adds it to the package (go help
// build, -overlay) into out, and returns the path of the overlay. Nothing is written
// into the package's directory.
func writeOverlay(s *Source, out string) (string, error) {
	if s.frozen {
		return "", fail.New(fail.BadInput, "add the probe to %s: go allows no overlay in the module cache (%s)", s.Package, s.Dir).
			WithHint("name a directory with its source, or build without the probe (--no-inject)")
	}
	file := filepath.Join(out, probeFileName)
	added, err := freeName(s.Dir)
	if err != nil {
		return "", fail.New(fail.Environment, "add the probe to %s: %w", s.Package, err)
	}
	overlay, err := json.Marshal(map[string]map[string]string{"Replace": {added: file}})
	if err != nil {
		return "", fmt.Errorf("write overlay: %w", err)
	}
	path := filepath.Join(out, "overlay.json")
	err = errors.Join(os.WriteFile(file, []byte(probe.Source()), 0o600), os.WriteFile(path, overlay, 0o600))
	if err != nil {
		return "", fail.New(fail.Environment, "write overlay: %w", err)
	}
	return path, nil
}

// freeName returns the path of a file that is not in dir.
func freeName(dir string) (string, error) {
	path := filepath.Join(dir, probeFileName)
	for i := 2; ; i++ {
		_, err := os.Lstat(path)
		if errors.Is(err, os.ErrNotExist) {
			return path, nil
		}
		if err != nil {
			return "", err
		}
		path = filepath.Join(dir, fmt.Sprintf("hone_probe%d.go", i))
	}
}
