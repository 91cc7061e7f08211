package cases

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/gohone/hone/bench/bed"
	"github.com/gohone/hone/bench/proc"
)

// Install does what go install github.com/gohone/hone/cmd/hone@TAG does, before there is a tag: it makes the module's
// zip from the last commit, offers it to the go command as a module proxy does, and installs it from there.
var Install = bed.Case{Name: "install",
	Shows: "go install of the last commit as if it were a tag, from the module's zip", Takes: "a minute",
	Run: measureInstall}

func measureInstall(ctx context.Context, b *bed.Bed) (err error) {
	if err := b.Start(ctx); err != nil {
		return err
	}
	root, err := output("git", "rev-parse", "--show-toplevel")
	if err != nil {
		return err
	}
	commit, err := output("git", "rev-parse", "--short=12", "HEAD")
	if err != nil {
		return err
	}
	environment, err := output("go", "env", "GOPROXY", "GOMODCACHE")
	if err != nil {
		return err
	}
	proxies, cache, _ := strings.Cut(environment, "\n")
	version, proxy := "v0.0.0-test."+commit, filepath.Join(b.Dir, "proxy")
	size, err := offer(proxy, version, root)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, forget(cache, version)) }()
	done, err := proc.Run(ctx, -1, proc.Command{
		// outside of every module
		Program: "go", Args: []string{"install", modulePath + "/cmd/hone@" + version}, Dir: b.Dir,
		Env: []string{"CGO_ENABLED=0", "GOWORK=off", "GOBIN=" + filepath.Join(b.Dir, "bin"), "GONOSUMDB=" + modulePath,
			"GOPROXY=file://" + filepath.ToSlash(proxy) + "," + proxies},
	})
	if err != nil {
		return err
	}
	said, err := output(filepath.Join(b.Dir, "bin", "hone"), "version")
	if err != nil {
		return err
	}
	if !strings.HasPrefix(said, "hone "+version+" ") {
		return fmt.Errorf("the installed hone says %q, want the version %s", said, version)
	}
	b.Claim("`go install` of hone as it was committed", "%.0f s; the module's zip has %.1f MB; the program says: %s",
		done.Wall.Seconds(), float64(size)/1e6, said)
	return nil
}

// output is what a command prints, without the last line's end.
func output(name string, args ...string) (string, error) {
	cmd := exec.Command(name, args...)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("%s %s: %w", name, strings.Join(args, " "), err)
	}
	return strings.TrimSpace(string(out)), nil
}

// forget removes a version from the module cache, whose directories are read-only.
func forget(cache, version string) error {
	source := filepath.Join(cache, filepath.FromSlash(modulePath)+"@"+version)
	err := filepath.WalkDir(source, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() {
			return os.Chmod(path, 0o755)
		}
		return err
	})
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	err = errors.Join(err, os.RemoveAll(source))
	downloads, _ := filepath.Glob(filepath.Join(cache, "cache", "download", filepath.FromSlash(modulePath), "@v",
		version+".*"))
	for _, path := range downloads {
		err = errors.Join(err, os.Remove(path))
	}
	return err
}
