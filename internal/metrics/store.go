package metrics

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/oklog/ulid/v2"

	"github.com/gohone/hone/internal/fail"
	"github.com/gohone/hone/internal/storedir"
)

// Store is the series of all runs of a ledger.
type Store struct {
	home string // the ledger's directory
	dir  string // the directory of the series in it
}

// In is the store of the ledger in dir. It need not exist: nothing was recorded then.
func In(dir string) Store { return Store{home: dir, dir: filepath.Join(dir, storeName)} }

// storeName is the directory of the series in the ledger's.
const storeName = "metrics"

const (
	// partSuffix marks the directory of a run that is being recorded, or was when hone died.
	partSuffix = ".part"
	// unfinishedSuffix marks a snapshot that is being written.
	unfinishedSuffix = ".unfinished"
)

// A run's directory has a name in the ledger's directory, by which hone changes it, and a
// path, by which the database opens what hone has looked at.
func wholeName(run string) string { return path.Join(storeName, run) }
func partName(run string) string  { return wholeName(run) + partSuffix }

func (s Store) whole(run string) string { return filepath.Join(s.dir, run) }
func (s Store) part(run string) string  { return s.whole(run) + partSuffix }

// explain says what could not be done, as kind fail.Storage unless the error has a kind; nil
// stays nil.
func explain(err error, format string, args ...any) error {
	if err == nil {
		return nil
	}
	what := fmt.Sprintf(format, args...)
	var known *fail.Error
	if errors.As(err, &known) {
		return fmt.Errorf("%s: %w", what, err)
	}
	return fail.New(fail.Storage, "%s: %w", what, err)
}

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
	entries, err := s.entries()
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, explain(err, "list runs with metrics")
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
			continue // not hone's, or removed meanwhile
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

func (s Store) entries() (all []fs.DirEntry, err error) {
	err = s.within(func(home *storedir.Dir) (err error) {
		all, err = home.ReadDir(storeName)
		return err
	})
	return all, err
}

// within does something in the ledger's directory.
func (s Store) within(do func(home *storedir.Dir) error) error {
	home, err := storedir.Open(s.home)
	if err != nil {
		return err
	}
	defer home.Close()
	return do(home)
}

// Remove removes the series of a run.
func (s Store) Remove(run string) error {
	if !runID.MatchString(run) {
		return fail.New(fail.BadInput, "remove metrics: %q is not the id of a run", run)
	}
	err := s.remove(partName(run), wholeName(run)+unfinishedSuffix, wholeName(run))
	return explain(err, "remove metrics of run %s", run)
}

// remove removes directories by their names in the ledger's.
func (s Store) remove(names ...string) error {
	home, err := storedir.Open(s.home)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer home.Close()
	var faults []error
	for _, name := range names {
		faults = append(faults, home.RemoveAll(name))
	}
	return errors.Join(faults...)
}

// makeRun makes the directory of a run, which must be new.
func (s Store) makeRun(name string) error {
	home, err := storedir.Make(s.home)
	if err != nil {
		return err
	}
	defer home.Close()
	if _, err := home.Mkdir(storeName); err != nil {
		return err
	}
	made, err := home.Mkdir(name)
	if err == nil && !made {
		err = &fs.PathError{Op: "mkdir", Path: home.Join(name), Err: fs.ErrExist}
	}
	return err
}

// rename gives a directory another name in the ledger's.
func (s Store) rename(from, to string) error {
	return s.within(func(home *storedir.Dir) error { return home.Rename(from, to) })
}

// check refuses the directory of a run, which the database will open by its path, if a link
// or anything else in it is not hone's own.
func (s Store) check(name string) error {
	return s.within(func(home *storedir.Dir) error { return home.CheckTree(name) })
}

// KeptRuns is how many runs keep their series unless the user says otherwise; those of
// older ones are removed when another one is recorded. Baselines keep theirs.
const KeptRuns = 200

// Keep removes the series of all runs but the newest and those named, and returns how
// many it removed. No run may be recording.
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
