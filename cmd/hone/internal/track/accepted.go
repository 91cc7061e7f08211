package track

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/gohone/hone/internal/spec/config"
	"github.com/gohone/hone/internal/store/series/chains"
)

// Accepted are the known steps that the hone.yaml in a directory names. A directory without that file has none. Nothing
// that the file names is executed.
func Accepted(dir string) (all []chains.Accepted, err error) {
	path := filepath.Join(dir, config.Name)
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	f, err := config.Read(path, config.Name)
	if err != nil {
		return nil, err
	}
	for _, a := range f.AcceptedSteps() {
		all = append(all, chains.Accepted{Commit: a.Commit, Benchmark: a.Benchmark, Reason: a.Reason, Until: a.Until})
	}
	return all, nil
}
