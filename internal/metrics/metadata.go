package metrics

import (
	"encoding/json"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"

	"github.com/gohone/hone/internal/inputs"
)

// Metadata says what a metric is, as its source does.
type Metadata struct {
	Type string `json:"type"`
	Unit string `json:"unit"`
	Help string `json:"help"`
}

const metadataFile = "metadata.json"

// Metadata is what the targets say of their metrics, by name. Those of the same name have
// the same meaning here: the jobs' names do not overlap but in the Go runtime's.
func (r *Recorder) Metadata() map[string]Metadata {
	r.mu.Lock()
	all := maps.Clone(r.known)
	r.mu.Unlock()
	for _, s := range r.scrapers() {
		maps.Copy(all, s.metadata())
	}
	return all
}

func writeMetadata(dir string, all map[string]Metadata) error {
	text, err := json.MarshalIndent(all, "", " ")
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, metadataFile), append(text, '\n'), 0o600)
}

// readMetadata returns nil for a run that has none: it died.
func readMetadata(dir string) (map[string]Metadata, error) {
	text, err := inputs.Metadata.ReadFile(filepath.Join(dir, metadataFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var all map[string]Metadata
	return all, json.Unmarshal(text, &all)
}
