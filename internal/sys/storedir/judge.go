package storedir

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/user"
	"strconv"

	"github.com/gohone/hone/internal/sys/fileowner"
	"github.com/gohone/hone/internal/text/fail"
)

// shown is a path for a message. A name may have been chosen by others: what a terminal
// would not print as it is, is quoted.
func shown(path string) string {
	if quoted := strconv.Quote(path); quoted != `"`+path+`"` {
		return quoted
	}
	return path
}

func isLink(info fs.FileInfo) bool { return info.Mode()&fs.ModeSymlink != 0 }

// judgeDir refuses all but a directory of this user. info is of the entry itself, not of
// what a link leads to.
func judgeDir(path string, info fs.FileInfo) error {
	switch {
	case isLink(info):
		return linkInside(path)
	case info.Mode().IsRegular():
		return fail.New(fail.Storage, "%s is a file, and hone needs a directory of that name", shown(path)).
			WithHint("move that file away, or name another directory with --ledger")
	case !info.IsDir():
		return strange(path, info)
	}
	return judgeOwner(path, info)
}

// judgeFile refuses all but a regular file of this user. A file that hone changes in place
// must have no second name.
func judgeFile(path string, info fs.FileInfo, inPlace bool) error {
	switch {
	case isLink(info):
		return linkInside(path)
	case info.IsDir():
		return fail.New(fail.Storage, "%s is a directory, and hone needs a file of that name", shown(path)).
			WithHint("move that directory away, or name another directory with --ledger")
	case !info.Mode().IsRegular():
		return strange(path, info)
	}
	if n := LinksOf(info); inPlace && n > 1 {
		return fail.New(fail.Untrusted,
			"%s has %d names (hard links), and hone would change the file under all of them", shown(path), n).
			WithHint("make it a file of its own: cp %[1]q %[2]q && mv %[2]q %[1]q", path, path+".own")
	}
	return judgeOwner(path, info)
}

func linkInside(path string) error {
	return fail.New(fail.Untrusted, "%s is a symbolic link%s; hone makes none there, and does not follow it",
		shown(path), leadingTo(path)).
		WithHint("remove the link if it came with the repository (rm %q), or name another directory with --ledger",
			path)
}

// leadingTo says where the link at path leads, if that can be read.
func leadingTo(path string) string {
	to, err := os.Readlink(path)
	if err != nil {
		return ""
	}
	return fmt.Sprintf(" to %q", to)
}

// strange refuses pipes, sockets and devices: to open one may block for ever.
func strange(path string, info fs.FileInfo) error {
	kind := "a device"
	switch mode := info.Mode(); {
	case mode&fs.ModeNamedPipe != 0:
		kind = "a named pipe"
	case mode&fs.ModeSocket != 0:
		kind = "a socket"
	}
	return fail.New(fail.Untrusted, "%s is %s; hone makes none there, and does not open it", shown(path), kind).
		WithHint("remove it (rm %q), or name another directory with --ledger", path)
}

// judgeOwner refuses what belongs to another user: that user may change it at any time, and
// what hone writes there could be lost to one of the two.
func judgeOwner(path string, info fs.FileInfo) error {
	owner, known := fileowner.Of(info)
	if me := os.Geteuid(); known && owner != me {
		return fail.New(fail.Untrusted, "%s belongs to %s, and hone runs as %s", shown(path), userText(owner),
			userText(me)).
			WithHint("run hone as the owner, or take it over (sudo chown -R %d %q), or name another directory with --ledger", me,
				path)
	}
	return nil
}

// userText names a user as ls -l does, and by number.
func userText(uid int) string {
	number := strconv.Itoa(uid)
	if u, err := user.LookupId(number); err == nil {
		return fmt.Sprintf("%s (uid %s)", u.Username, number)
	}
	return "uid " + number
}

// lookUp returns what stands under a name, not followed. The directories above it must be
// hone's own.
func (d *Dir) lookUp(name string) (fs.FileInfo, error) {
	for i := range len(name) {
		if name[i] != '/' {
			continue
		}
		info, err := d.root.Lstat(name[:i])
		if err == nil {
			err = judgeDir(d.Join(name[:i]), info)
		}
		if err != nil {
			return nil, err
		}
	}
	return d.root.Lstat(name)
}

// checkFile refuses what stands under a name, if anything, unless it is a file of hone's.
func (d *Dir) checkFile(name string, inPlace bool) error {
	info, err := d.lookUp(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	return judgeFile(d.Join(name), info, inPlace)
}

// checkDir refuses what stands under a name unless it is a directory of hone's. The error
// wraps fs.ErrNotExist if there is nothing.
func (d *Dir) checkDir(name string) error {
	_, err := d.StatDir(name)
	return err
}
