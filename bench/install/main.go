package main

import (
	"errors"
	"fmt"
	"io/fs"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

func main() {
	if err := run(); err != nil {
		log.Fatal(err)
	}
}

func run() (err error) {
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
	temp, err := os.MkdirTemp("", "hone-install-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temp)

	version := "v0.0.0-test." + commit
	size, err := offer(filepath.Join(temp, "proxy"), version, root)
	if err != nil {
		return err
	}
	fmt.Printf("%s@%s: its zip has %.1f MB\n", modulePath, version, float64(size)/1e6)
	defer func() { err = errors.Join(err, forget(cache, version)) }()

	began := time.Now()
	cmd := exec.Command("go", "install", modulePath+"/cmd/hone@"+version)
	cmd.Dir = temp // outside of every module
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOWORK=off", "GOBIN="+filepath.Join(temp, "bin"), "GONOSUMDB="+modulePath,
		"GOPROXY=file://"+filepath.ToSlash(filepath.Join(temp, "proxy"))+","+proxies)
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("go install: %w", err)
	}
	took := time.Since(began)
	said, err := output(filepath.Join(temp, "bin", "hone"), "version")
	if err != nil {
		return err
	}
	if !strings.HasPrefix(said, "hone "+version+" ") {
		return fmt.Errorf("the installed hone says %q, want the version %s", said, version)
	}
	fmt.Printf("go install took %.0f s; the installed program says: %s\n", took.Seconds(), said)
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
	downloads, _ := filepath.Glob(filepath.Join(cache, "cache", "download", filepath.FromSlash(modulePath), "@v", version+".*"))
	for _, path := range downloads {
		err = errors.Join(err, os.Remove(path))
	}
	return err
}
