package live

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"path"
	"slices"
	"time"

	"github.com/gohone/hone/internal/sys/filelock"
	"github.com/gohone/hone/internal/sys/storedir"
)

// poll is how often the files are looked at.
const poll = 500 * time.Millisecond

// mostFile bounds what is read of a file.
const mostFile = 1 << 20

// keyOf is the name of a measurement whose file has that name.
func keyOf(file string) string { return path.Base(file) }

// Read returns the measurements that go on in the ledger at dir, the oldest first.
func Read(dir string) ([]State, error) {
	home, err := storedir.Open(dir)
	if err != nil {
		return nil, err
	}
	defer home.Close()
	return readAll(home)
}

func readAll(home *storedir.Dir) ([]State, error) {
	entries, err := home.ReadDir(directory)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var all []State
	for _, e := range entries {
		if s, ok := readOne(home, directory+"/"+e.Name()); ok {
			all = append(all, s)
		}
	}
	slices.SortStableFunc(all, func(a, b State) int { return a.Started.Compare(b.Started) })
	return all, nil
}

// readOne reads a file that a process writes; false for one that was left behind, and for one that is being written.
func readOne(home *storedir.Dir, name string) (s State, ok bool) {
	f, err := home.Open(name)
	if err != nil {
		return s, false
	}
	defer f.Close()
	if filelock.Try(f) == nil {
		return s, false // its process was killed
	}
	text, err := io.ReadAll(io.LimitReader(f, mostFile))
	if err != nil || json.Unmarshal(text, &s) != nil || s.Schema != Schema || s.Key != keyOf(name) {
		return State{}, false
	}
	return s, true
}

// Watch calls tell with each state of a measurement in the ledger at dir that is new, and with the last one again,
// Ended, when the measurement is over. At first it tells of all that go on. It returns when ctx ends, or tell returns
// an error, with that error; or if the directory cannot be read.
func Watch(ctx context.Context, dir string, tell func(State) error) error {
	home, err := storedir.Open(dir)
	if err != nil {
		return err
	}
	defer home.Close()
	every := time.NewTicker(poll)
	defer every.Stop()
	known := map[string]State{}
	missed := map[string]int{}
	for {
		all, err := readAll(home)
		if err != nil {
			return err
		}
		there := map[string]bool{}
		for _, s := range all {
			there[s.Key] = true
			missed[s.Key] = 0
			if before, ok := known[s.Key]; ok && before.At.Equal(s.At) {
				continue
			}
			known[s.Key] = s
			if err := tell(s); err != nil {
				return err
			}
		}
		for key, s := range known {
			if there[key] {
				continue
			}
			if missed[key]++; missed[key] < 2 {
				continue // it may have been read while it was written
			}
			delete(known, key)
			delete(missed, key)
			s.Ended = true
			if err := tell(s); err != nil {
				return err
			}
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-every.C:
		}
	}
}
