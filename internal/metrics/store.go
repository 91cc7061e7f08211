package metrics

import (
	"cmp"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/oklog/ulid/v2"

	"github.com/gohone/hone/internal/fail"
)

// Store is the series of all runs of a ledger.
type Store struct{ dir string }

// In is the store of the ledger in dir. It need not exist: nothing was recorded then.
func In(dir string) Store { return Store{dir: filepath.Join(dir, "metrics")} }

const (
	// partSuffix marks the directory of a run that is being recorded, or was when hone died.
	partSuffix = ".part"
	// unfinishedSuffix marks a snapshot that is being written.
	unfinishedSuffix = ".unfinished"
)

func (s Store) whole(run string) string { return filepath.Join(s.dir, run) }
func (s Store) part(run string) string  { return s.whole(run) + partSuffix }

// runID is what a run may be called: the id becomes a name in the file system.
var runID = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_-]*$`)

// Recorded is a run with series.
type Recorded struct {
	Run string `json:"run"`
	// Part says that it is being recorded, or died.
	Part bool `json:"part,omitempty"`
}

// Runs returns the runs that have series, the one changed last first.
func (s Store) Runs() ([]Recorded, error) {
	entries, err := os.ReadDir(s.dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fail.New(fail.Storage, "list runs with metrics: %w", err)
	}
	type dated struct {
		Recorded
		at int64
	}
	found := map[string]dated{}
	for _, e := range entries {
		name, part := strings.CutSuffix(e.Name(), partSuffix)
		info, err := e.Info()
		if err != nil || !e.IsDir() || !runID.MatchString(name) {
			continue // none of ours, or removed meanwhile
		}
		if _, whole := found[name]; part && whole {
			continue // it is complete: RUN sorts before RUN.part
		}
		found[name] = dated{Recorded{name, part}, info.ModTime().UnixNano()}
	}
	runs := slices.Collect(maps.Values(found))
	slices.SortFunc(runs, func(a, b dated) int {
		return cmp.Or(cmp.Compare(b.at, a.at), strings.Compare(a.Run, b.Run))
	})
	out := make([]Recorded, len(runs))
	for i, r := range runs {
		out[i] = r.Recorded
	}
	return out, nil
}

// Remove removes the series of a run.
func (s Store) Remove(run string) error {
	if !runID.MatchString(run) {
		return fail.New(fail.BadInput, "remove metrics: %q is no id of a run", run)
	}
	if err := errors.Join(os.RemoveAll(s.part(run)), os.RemoveAll(s.whole(run)+unfinishedSuffix), os.RemoveAll(s.whole(run))); err != nil {
		return fail.New(fail.Storage, "remove metrics of run %s: %w", run, err)
	}
	return nil
}

// KeptRuns is how many runs keep their series unless somebody says otherwise; those of
// older ones are removed when another one is recorded. Baselines keep theirs.
const KeptRuns = 200

// Keep removes the series of all runs but the newest and those named, and returns how
// many it removed. Nobody may be recording.
func (s Store) Keep(newest int, named ...string) (removed int, err error) {
	runs, err := s.Runs()
	if err != nil {
		return 0, err
	}
	for _, r := range runs[min(newest, len(runs)):] {
		if slices.Contains(named, r.Run) {
			continue
		}
		if err := s.Remove(r.Run); err != nil {
			return removed, err
		}
		removed++
	}
	return removed, nil
}

// blocksIn returns the paths of the blocks in dir, oldest first.
func blocksIn(dir string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var blocks []string
	for _, e := range entries {
		if _, err := ulid.ParseStrict(e.Name()); err == nil && e.IsDir() {
			blocks = append(blocks, filepath.Join(dir, e.Name()))
		}
	}
	return blocks, nil // names that are ULIDs sort by time
}
