package build

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gohone/hone/internal/sys/git"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/units"
)

// What a checkout gets of the user's directory besides the files that git tracks. More would cost each comparison
// seconds, and as much of the disk again. Where the file system can, a copy shares the bytes of its file
// (copy_file_range(2)).
const (
	mostUntrackedFiles = 10_000
	mostUntrackedBytes = 256 << 20
)

// ledgerDir is what the ledger is called where the user says nothing else.
const ledgerDir = ".hone"

// AddUntracked gives a copy of a checkout what else stands in the user's directory, where another variant runs: a
// program that lists its directory, or reads a file that git does not track, would do something else on one side only.
// That are the files that git does not track, and the times of all files; of the ledger only its directory. What the
// checkout has stays as it is. left are the entries that were too large.
func (p *Place) AddUntracked(ctx context.Context, workDir string) (left []string, err error) {
	if p.Root == "" {
		return nil, nil
	}
	from, err := git.Run(ctx, workDir, "rev-parse", "--show-toplevel")
	if err != nil {
		return nil, ctx.Err() // else the user's directory is in no repository
	}
	list, err := git.Run(ctx, from, "ls-files", "--others", "--directory", "-z")
	if err != nil {
		return nil, fmt.Errorf("list the files that git does not track: %w", err)
	}
	to, err := os.OpenRoot(p.Root)
	if err != nil {
		return nil, err
	}
	defer to.Close()
	c := &untracked{ctx: ctx, from: os.DirFS(from), to: to}
	for _, dir := range []string{filepath.Dir(p.Root), os.TempDir(), p.checkouts} {
		if info, err := os.Stat(dir); err == nil {
			c.own = append(c.own, info)
		}
	}
	for _, name := range strings.Split(list, "\x00") {
		if name = strings.TrimSuffix(name, "/"); name == "" {
			continue
		}
		if size, ok := c.room(name); !ok {
			left = append(left, fmt.Sprintf("%s (%s)", name, size))
			continue
		}
		if err := c.entry(name); err != nil {
			return nil, fail.New(fail.Or(fail.Storage, err), "copy %s to %s: %w", name, filepath.Base(p.Root), err).
				WithHint("--work-dir . runs all variants in this directory, without a copy")
		}
	}
	if err := c.times(); err != nil {
		return nil, err
	}
	p.before, err = stamps(p.Root)
	return left, err
}

// untracked copies what a directory has besides.
type untracked struct {
	ctx   context.Context
	from  fs.FS
	to    *os.Root // through no link of the checkout that leads out
	own   []fs.FileInfo
	files int
	bytes int64
}

// bare says that of a directory only itself is copied: the ledger, and what hone or others keep for a while, the copy
// that is being made among it.
func (c *untracked) bare(name string, d fs.DirEntry) bool {
	if !d.IsDir() {
		return false
	}
	info, err := d.Info()
	return path.Base(name) == ledgerDir || err == nil &&
		slices.ContainsFunc(c.own, func(own fs.FileInfo) bool { return os.SameFile(own, info) })
}

// room says whether there is room for an entry and all below it, and else how much it is. Parts that cannot be read
// are not copied.
func (c *untracked) room(name string) (size string, ok bool) {
	files, bytes := 0, int64(0)
	_ = fs.WalkDir(c.from, name, func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil, c.bare(name, d):
			return skip(d)
		case c.ctx.Err() != nil || c.files+files > mostUntrackedFiles || c.bytes+bytes > mostUntrackedBytes:
			return fs.SkipAll
		}
		files++
		if info, err := d.Info(); err == nil && d.Type().IsRegular() {
			bytes += info.Size()
		}
		return nil
	})
	if c.files+files > mostUntrackedFiles {
		return "over " + units.Plural(files-1, "file"), false
	}
	if c.bytes+bytes > mostUntrackedBytes {
		return "over " + units.Bytes(float64(bytes)), false
	}
	c.files, c.bytes = c.files+files, c.bytes+bytes
	return "", true
}

func skip(d fs.DirEntry) error {
	if d != nil && d.IsDir() {
		return fs.SkipDir
	}
	return nil
}

// entry copies a file, or a directory with all below it.
func (c *untracked) entry(name string) error {
	if err := c.to.MkdirAll(filepath.FromSlash(path.Dir(name)), 0o700); err != nil {
		return nil //nolint:nilerr // the checkout has a file, or a link that leads out, there instead
	}
	return fs.WalkDir(c.from, name, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return skip(d)
		}
		if err := cmp.Or(c.ctx.Err(), c.one(filepath.FromSlash(name), d)); err != nil && !errors.Is(err, fs.ErrExist) {
			return err
		}
		if c.bare(name, d) {
			return fs.SkipDir
		}
		return nil
	})
}

// one makes a directory, a link or a file. Pipes, sockets and devices are left out, and what may not be read.
func (c *untracked) one(name string, d fs.DirEntry) error {
	info, err := d.Info()
	if err != nil {
		return nil //nolint:nilerr // it is gone
	}
	switch {
	case d.IsDir():
		return c.to.Mkdir(name, info.Mode().Perm()|0o700)
	case d.Type() == fs.ModeSymlink:
		target, err := fs.ReadLink(c.from, filepath.ToSlash(name))
		if err != nil {
			return nil //nolint:nilerr // it is gone
		}
		return c.to.Symlink(target, name)
	case !d.Type().IsRegular():
		return nil
	}
	in, err := c.from.Open(filepath.ToSlash(name))
	if err != nil {
		return nil //nolint:nilerr // the program cannot read it either
	}
	defer in.Close()
	out, err := c.to.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, info.Mode().Perm())
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Close())
}

// times gives what both have the times of the user's directory, what is deepest first: to change a directory changes
// its time.
func (c *untracked) times() error {
	var names []string
	err := fs.WalkDir(c.to.FS(), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || name == ".git" {
			return skip(d)
		}
		if d.IsDir() || d.Type().IsRegular() {
			names = append(names, name)
		}
		return c.ctx.Err()
	})
	for i := len(names) - 1; i >= 0 && err == nil; i-- {
		info, gone := fs.Lstat(c.from, names[i])
		if gone != nil || info.Mode()&fs.ModeSymlink != 0 {
			continue
		}
		err = c.to.Chtimes(filepath.FromSlash(names[i]), info.ModTime(), info.ModTime())
	}
	return err
}
