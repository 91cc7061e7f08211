package gocommand

import (
	"context"
	"encoding/json"
	"go/version"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"

	"github.com/gohone/hone/internal/text/fail"
)

// The values of GOTOOLCHAIN (go.dev/doc/toolchain, "GOTOOLCHAIN").
var (
	Release      = regexp.MustCompile(`^go[1-9][0-9]*(\.[0-9]+)+((rc|beta)[0-9]+)?(-[A-Za-z0-9_.-]+)?$`)
	ShortRelease = regexp.MustCompile(`^go1\.(2[1-9]|[3-9][0-9])$`) // since Go 1.21 the first release is .0
)

// CheckToolchain refuses what go would not take for a toolchain.
func CheckToolchain(name string) error {
	if name == "auto" || name == "path" {
		return nil
	}
	base, more, found := strings.Cut(name, "+")
	known := base == "local" || Release.MatchString(base)
	if !known || (found && more != "auto" && more != "path") {
		fault := fail.New(fail.BadInput, "toolchain %q: want the name of a Go release, or local, auto or path", name)
		if Release.MatchString("go" + name) {
			return fault.WithHint("did you mean go%s?", name)
		}
		return fault.WithHint("name a release in full (go1.25.5); local is the Go in PATH")
	}
	if ShortRelease.MatchString(base) {
		return fail.New(fail.BadInput, "toolchain %q: there is no such release", name).
			WithHint("name a release in full: %s.0", base)
	}
	return nil
}

// Settings are what go itself says it will use.
type Settings struct{ GOVERSION, GOFLAGS, GOCACHE, GOMODCACHE string }

// ReadSettings asks go in the directory of a build; env is nil for hone's own.
func ReadSettings(ctx context.Context, env []string, dir string) (Settings, error) {
	var s Settings
	answer, _, err := Ask(ctx, env, dir, "env", "-json", "GOVERSION", "GOFLAGS", "GOCACHE", "GOMODCACHE")
	if err != nil {
		return s, err
	}
	if err := json.Unmarshal(answer, &s); err != nil {
		return s, fail.New(fail.BadInput, "read answer of go env: %w", err)
	}
	return s, nil
}

// CheckAvailable says whether go finds the toolchain that the environment asks
// for, or can download it, which it then does. It is asked once another go command has
// failed: that a toolchain is missing shows in each.
func CheckAvailable(ctx context.Context, env []string, dir string) error {
	_, err := ReadSettings(ctx, env, dir)
	if err == nil || ctx.Err() != nil || fail.KindOf(err) != fail.BadInput {
		return err
	}
	name := "" // from go.mod, by auto
	for _, entry := range env {
		if value, found := strings.CutPrefix(entry, "GOTOOLCHAIN="); found && value != "auto" {
			name = " " + value
		}
	}
	here := "no other is on this machine"
	// With the Go in PATH the question is answered without the toolchain that is missing.
	if local, err := ReadSettings(ctx, append(slices.Clone(env), "GOTOOLCHAIN=local"), dir); err == nil {
		if found := Downloaded(local.GOMODCACHE); len(found) > 0 {
			here = fail.HintList("on this machine: ", found)
		}
	}
	return fail.New(fail.BadInput, "get toolchain%s: %w", name, err).
		WithHint("%s; another release is downloaded as a module, where GOPROXY and GOSUMDB allow it", here)
}

// Downloaded lists the toolchains in a module cache, the newest first.
func Downloaded(moduleCache string) []string {
	const prefix = "toolchain@v0.0.1-"
	suffix := "." + runtime.GOOS + "-" + runtime.GOARCH
	entries, _ := os.ReadDir(filepath.Join(moduleCache, "golang.org")) // a fault means none
	var names []string
	for _, e := range entries {
		name, here := strings.CutPrefix(e.Name(), prefix)
		if name, fits := strings.CutSuffix(name, suffix); here && fits {
			names = append(names, name)
		}
	}
	slices.SortFunc(names, func(a, b string) int { return version.Compare(b, a) })
	return names
}

// ReleaseOf is a version without what stands after the release: experiments behind a
// space (go1.26.0 X:nodwarf5), a vendor's suffix behind a dash.
func ReleaseOf(goVersion string) string {
	release, _, _ := strings.Cut(goVersion, " ")
	release, _, _ = strings.Cut(release, "-")
	return release
}
