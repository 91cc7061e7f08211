package metrics

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/gohone/hone/internal/sys/storedir"
	"github.com/gohone/hone/internal/text/fail"
)

// Store is the series of all runs of a ledger.
type Store struct {
	home string // the ledger's directory
}

// In is the store of the ledger in dir. It need not exist: nothing was recorded then.
func In(dir string) Store { return Store{home: dir} }

// storeName is the directory of the series in the ledger's, tempName that of files on their way, which the ledger
// empties.
const (
	storeName = "metrics"
	tempName  = "tmp"
)

// partSuffix marks the file of a run that is being recorded, or was when hone died.
const partSuffix = ".part"

// A run's file has a name in the ledger's directory.
func wholeName(run string) string { return path.Join(storeName, run) }
func partName(run string) string  { return wholeName(run) + partSuffix }

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
		if err != nil || !info.Mode().IsRegular() || !runID.MatchString(name) {
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
	err := s.remove(partName(run), wholeName(run))
	return explain(err, "remove metrics of run %s", run)
}

// remove removes files by their names in the ledger's.
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

// make opens the ledger's directory, with those that are needed in it.
func (s Store) make() (*storedir.Dir, error) {
	home, err := storedir.Make(s.home)
	if err != nil {
		return nil, err
	}
	for _, name := range []string{storeName, tempName} {
		if _, err := home.Mkdir(name); err != nil {
			return nil, errors.Join(err, home.Close())
		}
	}
	return home, nil
}

// Open opens the file of a run; the error is of kind fail.BadInput if it has none.
func (s Store) Open(run string) (f *os.File, part bool, err error) {
	none := fail.New(fail.BadInput, "run %s has no metrics", run).WithHint("hone metrics runs lists those that have")
	if !runID.MatchString(run) {
		return nil, false, none
	}
	err = s.within(func(home *storedir.Dir) (err error) {
		if f, err = home.Open(wholeName(run)); errors.Is(err, fs.ErrNotExist) {
			part = true
			f, err = home.Open(partName(run))
		}
		return err
	})
	if errors.Is(err, fs.ErrNotExist) {
		return nil, false, none
	}
	return f, part, explain(err, "open metrics of run %s", run)
}

// pack writes the file of a run that is over; it is there whole or not at all.
func (s Store) pack(run string) error {
	home, err := s.make()
	if err != nil {
		return err
	}
	defer home.Close()
	from, err := home.Open(partName(run))
	if err != nil {
		return err
	}
	defer from.Close()
	to, name, err := home.CreateTemp(tempName, "metrics-")
	if err != nil {
		return err
	}
	err = repack(to, from)
	if err == nil {
		err = to.Sync()
	}
	err = errors.Join(err, to.Close())
	if err == nil {
		err = home.Rename(name, wholeName(run))
	}
	if err != nil {
		return errors.Join(err, home.RemoveAll(name))
	}
	return errors.Join(home.RemoveAll(partName(run)), home.Sync(storeName))
}

// repack copies scrapes into larger records.
func repack(to io.Writer, from io.Reader) error {
	f, err := Read(from)
	if err != nil {
		return err
	}
	w, err := newWriter(to)
	if err != nil {
		return err
	}
	if err := w.header(f.Header); err != nil {
		return err
	}
	var pile []byte
	for s, err := range f.All() {
		if err != nil {
			return err
		}
		if pile = s.append(pile); len(pile) >= packed {
			if err := w.record(pile); err != nil {
				return err
			}
			pile = pile[:0]
		}
	}
	if len(pile) == 0 {
		return nil
	}
	return w.record(pile)
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
