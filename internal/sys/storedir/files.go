package storedir

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"syscall"
)

// Stat describes the regular file under a name. The error wraps fs.ErrNotExist if there is
// nothing.
func (d *Dir) Stat(name string) (fs.FileInfo, error) {
	info, err := d.lookUp(name)
	if err != nil {
		return nil, err
	}
	return info, judgeFile(d.Join(name), info, false)
}

// StatDir describes the directory under a name. The error wraps fs.ErrNotExist if there is nothing.
func (d *Dir) StatDir(name string) (fs.FileInfo, error) {
	info, err := d.lookUp(name)
	if err != nil {
		return nil, err
	}
	return info, judgeDir(d.Join(name), info)
}

// CheckInPlace refuses files that a program will open by its path and change in place: each
// must be missing, or a regular file of this user with one name.
func (d *Dir) CheckInPlace(names ...string) error {
	for _, name := range names {
		if err := d.checkFile(name, true); err != nil {
			return err
		}
	}
	return nil
}

// Walk visits the regular files in a directory, at any depth, in the order of their names.
// It ends at the first entry that is not hone's own, and passes over what another hone
// removes meanwhile.
func (d *Dir) Walk(name string, visit func(name string, info fs.FileInfo)) error {
	if err := d.checkDir(name); err != nil {
		return err
	}
	return fs.WalkDir(d.root.FS(), name, func(name string, e fs.DirEntry, err error) error {
		var info fs.FileInfo
		if err == nil {
			info, err = e.Info()
		}
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil
		case err != nil:
			return err
		case info.IsDir():
			return judgeDir(d.Join(name), info)
		}
		if err := judgeFile(d.Join(name), info, false); err != nil {
			return err
		}
		visit(name, info)
		return nil
	})
}

// CheckTree refuses a directory with anything in it, at any depth, that is not hone's own: a
// program will open it by its path and read it.
func (d *Dir) CheckTree(name string) error {
	return d.Walk(name, func(string, fs.FileInfo) {})
}

// Open opens a regular file for reading.
func (d *Dir) Open(name string) (*os.File, error) { return d.open(name, os.O_RDONLY, false) }

// Update opens a regular file for changes in place, and makes it if it is not there. It
// does not change one that is there.
func (d *Dir) Update(name string) (*os.File, error) { return d.open(name, os.O_RDWR|os.O_CREATE, true) }

// Create makes a file with mode 0600. The error wraps fs.ErrExist if the name is taken.
func (d *Dir) Create(name string) (*os.File, error) {
	if _, err := d.lookUp(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	return d.root.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
}

// CreateTemp makes a file with mode 0600 and a new name in a directory, and returns the
// name, which starts with prefix.
func (d *Dir) CreateTemp(dir, prefix string) (f *os.File, name string, err error) {
	name = path.Join(dir, prefix+rand.Text())
	f, err = d.Create(name)
	return f, name, err
}

// open judges the file before it is opened, so that no pipe is, and again when it is open:
// then it is known what was opened.
func (d *Dir) open(name string, flag int, inPlace bool) (*os.File, error) {
	if err := d.checkFile(name, inPlace); err != nil {
		return nil, err
	}
	f, err := d.root.OpenFile(name, flag|syscall.O_NONBLOCK, 0o600)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil {
		err = judgeFile(d.Join(name), info, inPlace)
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// Mkdir makes a directory with mode 0700. made is false if it was there already, as a
// directory of this user.
func (d *Dir) Mkdir(name string) (made bool, err error) {
	if err := d.checkDir(name); !errors.Is(err, fs.ErrNotExist) {
		return false, err
	}
	return true, d.root.Mkdir(name, 0o700)
}

// ReadDir lists a directory, sorted by name.
func (d *Dir) ReadDir(name string) ([]fs.DirEntry, error) {
	if err := d.checkDir(name); err != nil {
		return nil, err
	}
	return fs.ReadDir(d.root.FS(), name)
}

// Names lists the names in a directory, in no order. It looks at none of the entries, as ReadDir does.
func (d *Dir) Names(name string) ([]string, error) {
	if err := d.checkDir(name); err != nil {
		return nil, err
	}
	f, err := d.root.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return f.Readdirnames(-1)
}

// Rename gives a file or a directory another name. A file of that name is replaced; a link
// of that name, too, and what it leads to stays as it was.
func (d *Dir) Rename(from, to string) error {
	for _, name := range []string{from, to} {
		if _, err := d.lookUp(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return d.root.Rename(from, to)
}

// RemoveAll removes what stands under a name, with all that is in it. If nothing stands
// there, that is not an error. A link is removed, and what it leads to stays.
func (d *Dir) RemoveAll(name string) error {
	switch _, err := d.lookUp(name); {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	}
	return d.root.RemoveAll(name)
}

// Sync makes the names in a directory survive a loss of power.
func (d *Dir) Sync(name string) error {
	if err := d.checkDir(name); err != nil {
		return err
	}
	f, err := d.root.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	if err := f.Sync(); err != nil {
		return fmt.Errorf("sync directory %s: %w", d.Join(name), err)
	}
	return nil
}
