// Package trust remembers what the user allows hone to execute commands from, files and stored
// runs: by path and content, so that neither a changed one nor a copy elsewhere is trusted. And it
// keeps the key by which hone knows its own runs again, which need no trust.
package trust

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gohone/hone/internal/text/fail"
)

// Schema is the version of the store's file.
const Schema = "hone.trust/1"

// Entry is one trusted content of one file.
type Entry struct {
	// Path is absolute with symbolic links resolved.
	Path string `json:"path"`
	// SHA256 is the hash of the content, in hex.
	SHA256 string `json:"sha256"`
	// Since is when the user said so.
	Since time.Time `json:"since"`
}

// Store is a file of entries. It is read anew for every question: another hone may have
// changed it.
type Store struct {
	path string
}

// At returns the store in a file; neither the file nor its directory need exist.
func At(path string) *Store { return &Store{path: path} }

// User returns the store of the user: hone/trust.json in the directory for
// configuration (os.UserConfigDir). The error is of kind fail.Environment.
func User() (*Store, error) {
	dir, err := os.UserConfigDir()
	if err != nil {
		return nil, fail.New(fail.Environment, "find trust store: %w", err).
			WithHint("set HOME, or XDG_CONFIG_HOME to an absolute path")
	}
	return At(filepath.Join(dir, "hone", "trust.json")), nil
}

// Trusted says whether the user trusts this content at this path. An error, of kind
// fail.Storage, means no.
func (s *Store) Trusted(path string, content []byte) (bool, error) {
	path, err := resolve(path)
	if err != nil {
		return false, err
	}
	entries, err := s.read()
	if err != nil {
		return false, err
	}
	want := Hash(content)
	return slices.ContainsFunc(entries, func(e Entry) bool { return e.Path == path && e.SHA256 == want }), nil
}

// Trust records that the user trusts this content at this path, instead of any other
// content there.
func (s *Store) Trust(path string, content []byte, now time.Time) error {
	path, err := resolve(path)
	if err != nil {
		return err
	}
	return s.change(func(entries []Entry) []Entry {
		entries = without(entries, path)
		return append(entries, Entry{Path: path, SHA256: Hash(content), Since: now.UTC().Truncate(time.Second)})
	})
}

// Forget takes the trust in a path back and says whether there was any. The file itself
// may be gone.
func (s *Store) Forget(path string) (known bool, err error) {
	path, err = resolve(path)
	if err != nil {
		return false, err
	}
	err = s.change(func(entries []Entry) []Entry {
		rest := without(entries, path)
		known = len(rest) < len(entries)
		return rest
	})
	return known, err
}

// List returns the entries by path.
func (s *Store) List() ([]Entry, error) {
	entries, err := s.read()
	slices.SortFunc(entries, func(a, b Entry) int { return strings.Compare(a.Path, b.Path) })
	return entries, err
}

// Hash is how the store names a content: its SHA-256 in hex.
func Hash(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:])
}

func without(entries []Entry, path string) []Entry {
	return slices.DeleteFunc(slices.Clone(entries), func(e Entry) bool { return e.Path == path })
}

// resolve makes a path absolute and follows symbolic links; of a path that is gone, as
// far as it goes.
func resolve(path string) (string, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return "", fail.New(fail.Environment, "resolve %s: %w", path, err)
	}
	real, err := filepath.EvalSymlinks(abs)
	if err == nil {
		return real, nil
	}
	if !errors.Is(err, os.ErrNotExist) {
		return "", fail.New(fail.Environment, "resolve %s: %w", path, err)
	}
	if up := filepath.Dir(abs); up != abs {
		if up, err := resolve(up); err == nil {
			return filepath.Join(up, filepath.Base(abs)), nil
		}
	}
	return abs, nil
}
