package series

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"

	"github.com/gohone/hone/internal/sys/storedir"
	"github.com/gohone/hone/internal/text/fail"
)

// openFile opens a regular file of the store. The directory may have come with a repository, and its content may be a
// trap: a link or a second name of a file of the user that hone would write to, or a pipe that never answers. No
// access leaves the directory (os.Root).
func openFile(root *os.Root, name string, flag int) (*os.File, error) {
	writes := flag&(os.O_WRONLY|os.O_RDWR) != 0
	before, err := root.Lstat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist) && flag&os.O_CREATE != 0:
	case err != nil:
		return nil, err
	default:
		if err := judge(name, before, writes); err != nil {
			return nil, err
		}
	}
	f, err := root.OpenFile(name, flag|syscall.O_NONBLOCK, 0o666)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil {
		err = judge(name, info, writes)
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// judge refuses what hone does not make in a store.
func judge(name string, info fs.FileInfo, writes bool) error {
	what := ""
	switch mode := info.Mode(); {
	case mode&fs.ModeSymlink != 0:
		what = "a symbolic link"
	case mode.IsDir():
		what = "a directory"
	case !mode.IsRegular():
		what = "a pipe, a socket or a device"
	case writes && storedir.LinksOf(info) > 1:
		what = fmt.Sprintf("a file with %d names (hard links)", storedir.LinksOf(info))
	default:
		return nil
	}
	return fail.New(fail.Untrusted, "%s in the store is %s, and hone makes none there", quoted(name), what).
		WithHint("remove it, or name another directory for the series")
}

// syncDir makes the names in a directory survive a loss of power.
func syncDir(root *os.Root, name string) error {
	f, err := root.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	return f.Sync()
}
