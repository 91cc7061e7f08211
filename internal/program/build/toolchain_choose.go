package build

import (
	"context"
	"go/version"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gohone/hone/internal/program/gocommand"
	"github.com/gohone/hone/internal/sys/paths"
)

// ChooseToolchain completes the name of a Go version (go1.25) to that of a release: the newest of it that is on this
// machine, or else its first one. Other names stay as they are. v is a program that is to be built by it.
//
// The error says why the release cannot build the module of the program: it does not exist, it cannot be downloaded, or
// go.mod wants a newer one. A release that is missing on this machine is downloaded.
func ChooseToolchain(ctx context.Context, v Variant, workDir, name string) (string, error) {
	dir := workDir
	if at := paths.Within(workDir, filepath.FromSlash(v.Source)); paths.IsDirectory(at) {
		dir = at
	}
	if gocommand.ShortRelease.MatchString(name) {
		name = newestOf(ctx, dir, name)
	}
	v.Toolchain = name
	if err := checkToolchainInput(v); err != nil {
		return name, err
	}
	env := append(append(os.Environ(), v.Env...), "GOTOOLCHAIN="+name)
	if err := gocommand.CheckAvailable(ctx, env, dir); err != nil {
		return name, err
	}
	_, _, err := gocommand.Ask(ctx, env, dir, "list", "-m")
	return name, err
}

// newestOf is the newest release of a Go version that is on this machine: in the module cache, or the Go in PATH.
func newestOf(ctx context.Context, dir, minor string) string {
	found := []string{minor + ".0"}
	if local, err := gocommand.ReadSettings(ctx, append(os.Environ(), "GOTOOLCHAIN=local"), dir); err == nil {
		found = append(append(found, gocommand.Downloaded(local.GOMODCACHE)...), gocommand.ReleaseOf(local.GOVERSION))
	}
	found = slices.DeleteFunc(found,
		func(name string) bool { return name != minor+".0" && !strings.HasPrefix(name, minor+".") })
	return slices.MaxFunc(found, version.Compare)
}
