package trust

import (
	"bytes"
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/gohone/hone/internal/sys/filelock"
	"github.com/gohone/hone/internal/text/fail"
)

// document is the content of the store's file.
type document struct {
	Schema string  `json:"schema"`
	Files  []Entry `json:"files"`
}

// most is the largest store that is read: some 50,000 entries.
const most = 16 << 20

// read returns the entries; none if there is no file yet.
func (s *Store) read() ([]Entry, error) {
	file, err := os.Open(s.path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, s.storage("read", err)
	}
	defer file.Close()
	if err := checkMode(file); err != nil {
		return nil, fail.New(fail.Storage, "read trust store %s: %w", s.path, err).
			WithHint("check with hone trust --list after chmod 600 %s that no other user has changed it", s.path)
	}
	content, err := io.ReadAll(io.LimitReader(file, most+1))
	if err != nil {
		return nil, s.storage("read", err)
	}
	doc, err := parse(content)
	if err != nil {
		return nil, s.storage("read", err)
	}
	return doc.Files, nil
}

// parse reads the store's file strictly: what it does not understand it does not trust.
func parse(content []byte) (*document, error) {
	if len(content) > most {
		return nil, fmt.Errorf("it is larger than %d MB", most>>20)
	}
	var head struct {
		Schema string `json:"schema"`
	}
	if err := json.Unmarshal(content, &head); err != nil {
		return nil, fmt.Errorf("it is damaged: %w", err)
	}
	if head.Schema != Schema {
		return nil, fmt.Errorf("its schema is %q, and this hone knows %q", head.Schema, Schema)
	}
	dec := json.NewDecoder(bytes.NewReader(content))
	dec.DisallowUnknownFields()
	var doc document
	if err := dec.Decode(&doc); err != nil {
		return nil, fmt.Errorf("it is damaged: %w", err)
	}
	for i, e := range doc.Files {
		if sum, err := hex.DecodeString(e.SHA256); err != nil || len(sum) != 32 || !filepath.IsAbs(e.Path) {
			return nil, fmt.Errorf("it is damaged: entry %d is not a path with a hash", i+1)
		}
	}
	return &doc, nil
}

// checkMode refuses a store that others may write: they could add their own files.
func checkMode(file *os.File) error {
	info, err := file.Stat()
	switch {
	case err != nil:
		return err
	case !info.Mode().IsRegular():
		return errors.New("it is not a regular file")
	case info.Mode().Perm()&0o022 != 0:
		return fmt.Errorf("others may write it (mode %04o)", info.Mode().Perm())
	}
	return nil
}

// change replaces the entries under a lock, and writes nothing if they were not read
// well: a damaged store is the user's to repair.
func (s *Store) change(edit func([]Entry) []Entry) error {
	dir := filepath.Dir(s.path)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return s.storage("create", err)
	}
	unlock, err := filelock.Wait(context.Background(), s.path+".lock") // held for one read and one write
	switch {
	case errors.Is(err, errors.ErrUnsupported): // of two changes at the same moment one is lost
	case err != nil:
		return s.storage("lock", err)
	default:
		defer unlock()
	}
	entries, err := s.read()
	if err != nil {
		return err
	}
	content, err := json.MarshalIndent(document{Schema, edit(entries)}, "", "  ")
	if err != nil {
		return s.storage("write", err)
	}
	if err := replace(s.path, append(content, '\n')); err != nil {
		return s.storage("write", err)
	}
	return nil
}

// replace writes a file whole or not at all: temporary file, sync, rename, sync of the
// directory. CreateTemp makes it 0600.
func replace(path string, content []byte) error {
	dir := filepath.Dir(path)
	temp, err := os.CreateTemp(dir, ".trust-*")
	if err != nil {
		return err
	}
	defer os.Remove(temp.Name()) // gone already where all went well
	_, err = temp.Write(content)
	if err := errors.Join(err, temp.Sync(), temp.Close()); err != nil {
		return err
	}
	if err := os.Rename(temp.Name(), path); err != nil {
		return err
	}
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	return d.Sync()
}

func (s *Store) storage(verb string, err error) error {
	return fail.New(fail.Storage, "%s trust store %s: %w", verb, s.path, err).
		WithHint("repair it, or move it away and trust your files again: mv %s %s.old", s.path, s.path)
}
