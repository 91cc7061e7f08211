package observe

import (
	"bytes"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/gohone/hone/internal/text/fail"
)

// What became of a file.
const (
	Written   = "written"   // it was not there
	Unchanged = "unchanged" // it was there already, byte for byte
	Replaced  = "replaced"  // it was there and differed; see WrittenFile.Backup
)

// WrittenFile says what became of one file.
type WrittenFile struct {
	Name   string `json:"name"`
	Action string `json:"action"`
	// Backup is the name under which the file is kept that was there before.
	Backup string `json:"backup,omitempty"`
}

// Write puts files into dir, which it makes if it is not there. A file that is there and
// differs is the user's: without force nothing at all is written and the error names
// every such file; with force the old one is kept as NAME.bak (NAME.bak2 and so on if
// that is taken).
//
// All files are first written beside their places and synced, and only then renamed, so
// that a full disk leaves dir as it was. Nothing outside of dir is written, also not by
// way of a symbolic link.
//
// Errors are of kind BadInput (a file in the way, files that differ), Environment
// (permissions) or Storage (the disk).
func Write(dir string, files []File, force bool) ([]WrittenFile, error) {
	made, err := makeDirs(dir)
	if err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, explain("open", dir, err)
	}
	defer root.Close()
	outcomes, err := writeInto(root, dir, files, force)
	if err != nil {
		removeEmpty(os.Remove, made)
	}
	return outcomes, err
}

func writeInto(root *os.Root, dir string, files []File, force bool) ([]WrittenFile, error) {
	outcomes, err := compareWith(root, dir, files)
	if err != nil {
		return nil, err
	}
	if changed := namesOf(outcomes, Replaced); len(changed) > 0 && !force {
		return nil, fail.New(fail.BadInput, "%s: not what hone would write, left alone: %s", dir,
			strings.Join(changed, ", ")).
			WithHint("--force overwrites them and keeps yours as NAME.bak; another directory keeps both")
	}
	var s staging
	name, err := s.replace(root, files, outcomes)
	if err != nil {
		s.undo(root)
		return nil, explain("write", filepath.Join(dir, name), err)
	}
	return outcomes, nil
}

// compareWith says what is to become of each file.
func compareWith(root *os.Root, dir string, files []File) ([]WrittenFile, error) {
	outcomes := make([]WrittenFile, 0, len(files))
	for _, f := range files {
		action := Written
		info, err := root.Stat(f.Name)
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			return nil, explain("look at", filepath.Join(dir, f.Name), err)
		case !info.Mode().IsRegular():
			return nil, fail.New(fail.BadInput, "%s is in the way: it is not a regular file",
				filepath.Join(dir, f.Name))
		default:
			there, err := root.ReadFile(f.Name)
			if err != nil {
				return nil, explain("read", filepath.Join(dir, f.Name), err)
			}
			action = Replaced
			if bytes.Equal(there, f.Text) {
				action = Unchanged
			}
		}
		outcomes = append(outcomes, WrittenFile{Name: f.Name, Action: action})
	}
	return outcomes, nil
}

func namesOf(outcomes []WrittenFile, action string) []string {
	var names []string
	for _, o := range outcomes {
		if o.Action == action {
			names = append(names, o.Name)
		}
	}
	return names
}

// staging is the files on their way to their places, and the directories made for them.
type staging struct {
	files []staged
	dirs  []string
}

type staged struct {
	temp, name string
	backup     string // where the old one is kept; empty without one
	placed     bool
}

// replace writes what is not as it should be, first all beside their places. It returns
// the file that an error is about.
func (s *staging) replace(root *os.Root, files []File, outcomes []WrittenFile) (name string, err error) {
	var places []int // of s.files in outcomes
	for i, f := range files {
		if outcomes[i].Action == Unchanged {
			continue
		}
		if err := s.add(root, f); err != nil {
			return f.Name, err
		}
		places = append(places, i)
	}
	for i, place := range places {
		f := &s.files[i]
		if outcomes[place].Action == Replaced {
			if f.backup, err = keep(root, f.name); err != nil {
				return f.name, err
			}
			outcomes[place].Backup = f.backup
		}
		if err := root.Rename(f.temp, f.name); err != nil {
			return f.name, err
		}
		f.placed = true
	}
	return "", nil
}

// add writes f beside its place. Containers read the files as users of their own, so all
// may: there is no secret in them.
func (s *staging) add(root *os.Root, f File) error {
	for _, dir := range parents(f.Name) {
		err := root.Mkdir(dir, 0o755)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return err
		}
		s.dirs = append(s.dirs, dir)
		if err := root.Chmod(dir, 0o755); err != nil { // whatever the umask says
			return err
		}
	}
	temp := path.Join(path.Dir(f.Name), ".hone-"+rand.Text())
	file, err := root.OpenFile(temp, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	s.files = append(s.files, staged{temp: temp, name: f.Name})
	_, err = file.Write(f.Text)
	return errors.Join(err, file.Chmod(0o644), file.Sync(), file.Close())
}

// undo removes what is not yet where it belongs, and puts back what was to make room for it.
func (s *staging) undo(root *os.Root) {
	for _, f := range s.files {
		if f.placed {
			continue
		}
		_ = root.Remove(f.temp)
		if f.backup != "" && root.Rename(f.backup, f.name) == nil {
			_ = root.Remove(f.backup) // a second name of the same file, which Rename leaves alone
		}
	}
	removeEmpty(root.Remove, s.dirs)
}

// parents are the directories above name, the topmost first.
func parents(name string) []string {
	var dirs []string
	for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
		dirs = append([]string{dir}, dirs...)
	}
	return dirs
}

// keep gives the file a second name that is free. The file stays where it is until
// another is renamed over it; where the file system has no hard links it is renamed.
func keep(root *os.Root, name string) (backup string, err error) {
	for i := 1; ; i++ {
		backup = name + ".bak"
		if i > 1 {
			backup += fmt.Sprint(i)
		}
		if _, err := root.Lstat(backup); err == nil {
			continue
		} else if !errors.Is(err, fs.ErrNotExist) {
			return "", err
		}
		if err = root.Link(name, backup); err == nil {
			return backup, nil
		}
		return backup, root.Rename(name, backup)
	}
}

// makeDirs makes dir and what is missing above it, and returns what it made, the
// topmost first.
func makeDirs(dir string) (made []string, err error) {
	var missing []string
	for p := filepath.Clean(dir); ; p = filepath.Dir(p) {
		info, err := os.Stat(p)
		if err == nil {
			if !info.IsDir() {
				return nil, fail.New(fail.BadInput, "%s is a file, not a directory",
					p).WithHint("name a directory, a new one or an empty one")
			}
			break
		}
		if !errors.Is(err, fs.ErrNotExist) {
			return nil, explain("look at", p, err)
		}
		missing = append([]string{p}, missing...)
	}
	for _, p := range missing {
		if err := os.Mkdir(p, 0o755); err != nil {
			removeEmpty(os.Remove, made)
			return nil, explain("make", p, err)
		}
		made = append(made, p)
	}
	return made, nil
}

// removeEmpty removes directories, the last first, as long as they are empty.
func removeEmpty(remove func(string) error, dirs []string) {
	for i := len(dirs) - 1; i >= 0; i-- {
		_ = remove(dirs[i]) // what another program put there meanwhile stays
	}
}

// explain gives an error of the file system its kind and says what to do.
func explain(verb, name string, err error) error {
	var pathErr *fs.PathError
	if errors.As(err, &pathErr) {
		err = pathErr.Err // the name is said already
	}
	switch {
	case errors.Is(err, syscall.ENOTDIR):
		return fail.New(fail.BadInput, "%s %s: %w", verb, name,
			err).WithHint("a file stands where a directory has to be")
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		return fail.New(fail.Environment, "%s %s: %w", verb, name,
			err).WithHint("choose a directory that you may write to")
	default:
		return fail.New(fail.Storage, "%s %s: %w", verb, name,
			err).WithHint("nothing was changed; choose a place with room")
	}
}
