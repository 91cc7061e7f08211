package agents

import (
	"errors"
	"io/fs"
	"os"
	"path"

	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/internal/store/recording"
	"github.com/gohone/hone/internal/sys/storedir"
	"github.com/gohone/hone/internal/text/fail"
)

// Spool is where the recordings of a run's agents are kept until they are one result: agents/RUN in the directory of
// the ledger, which is hone's own, so that no link in it leads a write elsewhere. What a coordinator leaves there that
// was killed, hone load merge reads.
type Spool struct {
	home  *storedir.Dir
	name  string
	files map[string]*os.File // by agent
}

// spools is the directory of all runs.
const spools = "agents"

// MakeSpool makes the directory of a run, which must be new.
func MakeSpool(dir, run string) (*Spool, error) {
	if err := ledger.CheckOrigin(dir); err != nil {
		return nil, err
	}
	home, err := storedir.Make(dir)
	if err != nil {
		return nil, spoolError(err, "make a directory for what agents record")
	}
	s := &Spool{home: home, name: path.Join(spools, run), files: map[string]*os.File{}}
	_, err = home.Mkdir(spools)
	made := false
	if err == nil {
		made, err = home.Mkdir(s.name)
	}
	if err == nil && !made {
		err = &fs.PathError{Op: "mkdir", Path: s.Path(), Err: fs.ErrExist}
	}
	if err != nil {
		home.Close()
		return nil, spoolError(err, "make a directory for what agents record")
	}
	return s, nil
}

// openSpool opens what was kept of a run.
func openSpool(dir, run string) (*Spool, error) {
	home, err := storedir.Open(dir)
	if err != nil {
		return nil, spoolError(err, "read what agents recorded")
	}
	return &Spool{home: home, name: path.Join(spools, run)}, nil
}

// spoolError says what could not be done; what storedir refuses says it by itself.
func spoolError(err error, what string) error {
	var known *fail.Error
	if errors.As(err, &known) {
		return err
	}
	return fail.New(fail.Or(fail.Storage, err), "%s: %w", what, err)
}

// Path is where it is, for people.
func (s *Spool) Path() string { return s.home.Join(s.name) }

// file is the name of an agent's recording.
func (s *Spool) file(agent string) string { return path.Join(s.name, agent+".jsonl") }

// Keep writes a piece of an agent's recording.
func (s *Spool) Keep(agent string, offset int64, data []byte) error {
	f := s.files[agent]
	if f == nil {
		var err error
		if f, err = s.home.Create(s.file(agent)); err != nil {
			return err
		}
		s.files[agent] = f
	}
	_, err := f.WriteAt(data, offset)
	return err
}

// Read reads an agent's recording.
func (s *Spool) Read(agent string) (*recording.Recording, error) {
	f, err := s.home.Open(s.file(agent))
	if err != nil {
		return nil, spoolError(err, "read what an agent recorded")
	}
	defer f.Close()
	return recording.Read(f, s.home.Join(s.file(agent)))
}

// Close ends the writing. What was kept stays.
func (s *Spool) Close() {
	for _, f := range s.files {
		f.Close()
	}
	if s.files != nil && len(s.files) == 0 {
		_ = s.home.RemoveAll(s.name) // there is nothing in it
	}
	s.home.Close()
}

// Discard removes what was kept, after Close.
func (s *Spool) Discard() error {
	home, err := storedir.Open(s.home.Path())
	if err != nil {
		return err
	}
	defer home.Close()
	return home.RemoveAll(s.name)
}
