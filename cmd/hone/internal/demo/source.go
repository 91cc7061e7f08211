package demo

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"

	module "github.com/gohone/hone"
	"github.com/gohone/hone/internal/sys/filelock"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/shellwords"
)

// hereOrUnpacked returns the tour with a program that can be built: that of the checkout
// that the user works in, or the source that hone holds, unpacked into the cache directory.
func (a *commands) hereOrUnpacked(t *tour) (*tour, error) {
	if _, err := exec.LookPath("go"); err != nil {
		return nil, fail.New(fail.Environment, "find the go command: %w",
			err).WithHint("hone builds what it measures: install Go and put it on PATH")
	}
	if exec.CommandContext(a.Ctx, "go", "list", t.program).Run() == nil {
		return t, nil
	}
	if a.Ctx.Err() != nil {
		return nil, fail.New(fail.Interrupted, "interrupted before the build; nothing was stored")
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return nil, fail.New(fail.Environment, "find the cache directory: %w",
			err).WithHint("set HOME or XDG_CACHE_HOME")
	}
	root, err := unpack(a.Ctx, module.Services, filepath.Join(cache, "hone", "demo"))
	if err != nil {
		return nil, fail.New(fail.Or(fail.Storage, err), "unpack the reference services: %w", err)
	}
	own := *t
	own.program = filepath.Join(root, filepath.FromSlash(strings.TrimPrefix(t.program, modulePath+"/")))
	fmt.Fprintf(a.Stderr, "this is not a checkout of hone: the source of %s is in %s\n", t.name, root)
	return &own, a.downloadModules(own.program)
}

// modulePath is that of go.mod.
const modulePath = "github.com/gohone/hone"

// downloadModules has the go command find all packages of a program; it downloads the
// modules that are not in its cache.
func (a *commands) downloadModules(dir string) error {
	cmd := exec.CommandContext(a.Ctx, "go", "list", "-deps", ".")
	cmd.Dir = dir
	var said strings.Builder
	cmd.Stderr = &said
	if err := cmd.Run(); err == nil {
		return nil
	}
	if a.Ctx.Err() != nil {
		return fail.New(fail.Interrupted, "interrupted while modules were downloaded; nothing was stored")
	}
	lines := strings.Split(strings.TrimSpace(said.String()), "\n")
	return fail.New(fail.Environment, "find the modules of %s: %s", dir, lines[len(lines)-1]).
		WithHint("the go command downloads them once, and needs its module proxy for that: see the whole output of (cd %s "+
			"&& go list -deps .)", shellwords.Join([]string{dir}))
}

// unpack writes the files of source, without tests, below base, in a directory that is named
// after their content, and returns that directory. One that is there already is used again:
// profiles of earlier demos name the files in it.
func unpack(ctx context.Context, source fs.FS, base string) (string, error) {
	files, sum := map[string][]byte{}, sha256.New()
	err := fs.WalkDir(source, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.HasSuffix(name, "_test.go") {
			return err
		}
		text, err := fs.ReadFile(source, name)
		files[name] = text
		fmt.Fprintf(sum, "%s %d\n%s", name, len(text), text)
		return err
	})
	if err != nil {
		return "", err
	}
	if err := os.MkdirAll(base, 0o700); err != nil {
		return "", err
	}
	unlock, err := filelock.Wait(ctx, filepath.Join(base, "lock"))
	if err != nil {
		return "", err
	}
	defer unlock()
	root := filepath.Join(base, hex.EncodeToString(sum.Sum(nil)[:8]))
	if info, err := os.Lstat(root); err == nil && info.IsDir() {
		return root, nil
	}
	half := root + ".half" // left by a hone that was killed
	if err := os.RemoveAll(half); err != nil {
		return "", err
	}
	for name, text := range files {
		err := os.MkdirAll(filepath.Join(half, filepath.FromSlash(path.Dir(name))), 0o700)
		if err == nil {
			err = os.WriteFile(filepath.Join(half, filepath.FromSlash(name)), text, 0o600)
		}
		if err != nil {
			return "", errors.Join(err, os.RemoveAll(half))
		}
	}
	return root, os.Rename(half, root)
}
