package build

import (
	"maps"
	"slices"

	"github.com/gohone/hone/internal/program/source"
)

// Variant is one way to build and start a subject.
type Variant struct {
	// Name is the letter that reports use: A, B, ... Letters, digits, _ . - only.
	Name string `json:"name"`
	// Source is the main package: a directory, Go files, an import path, ref:dir with a
	// git ref and a directory or Go files at that ref, or path@version. See source.Resolve.
	Source string `json:"source"`
	// Args are the program's arguments; {port} and {dir} are replaced at the start.
	Args []string `json:"args,omitempty"`
	// Env are KEY=VALUE additions to hone's own environment, for the build and the
	// program alike.
	Env []string `json:"env,omitempty"`
	// RunEnv are KEY=VALUE additions behind Env for the program alone: variants that differ in
	// them share one executable.
	RunEnv []string `json:"run_env,omitempty"`
	// Toolchain is the value of GOTOOLCHAIN for the build (go1.25.5, local, auto); empty
	// keeps the user's.
	Toolchain string `json:"toolchain,omitempty"`
	// BuildFlags go to go build before the package.
	BuildFlags []string `json:"build_flags,omitempty"`
	// Prepare is a command that runs before the build, in the root of the module: see
	// PrepareSources. Nil for none.
	Prepare []string `json:"prepare,omitempty"`
	// AfterStart is a command that runs once after each start, when the program is ready: see
	// Process.AfterStart. Nil for none.
	AfterStart []string `json:"after_start,omitempty"`
	// NoInject builds without the probe.
	NoInject bool `json:"no_inject,omitempty"`
	// Overlay are files that are built instead of those of the tree, which is not touched: the
	// content by absolute path. A path with no file is a new file of its package. Of a redacted
	// variant the contents are their hashes.
	Overlay map[string]string `json:"overlay,omitempty"`
	// Layout is a seed for the order of the functions in the executable (go tool link,
	// -randlayout), from LayoutSeeds; 0 keeps the linker's own order.
	Layout int64 `json:"layout,omitempty"`

	prepared *source.Source // by PrepareSources, to be built as it is
	counted  bool           // with coverage counters, see Counted
	toolExec []string       // of such a build: what the user has standing before tools
}

// BuiltLike says whether both variants build to the same executable: they differ at
// most in name, arguments, RunEnv and what comes after the start. Env counts, since go build reads it too.
func (v Variant) BuiltLike(o Variant) bool {
	return v.Source == o.Source && v.Toolchain == o.Toolchain && v.NoInject == o.NoInject && v.Layout == o.Layout &&
		maps.Equal(v.Overlay, o.Overlay) &&
		slices.Equal(v.Env, o.Env) && slices.Equal(v.BuildFlags, o.BuildFlags) && slices.Equal(v.Prepare, o.Prepare)
}

// RunsLike says whether both are one executable that is started alike, from one directory: they
// cannot differ but by what the machine does.
func (b Binary) RunsLike(o Binary) bool {
	v, w := b.Variant, o.Variant
	return b.BuildID != "" && b.BuildID == o.BuildID && b.Dir == o.Dir && slices.Equal(v.Args, w.Args) &&
		slices.Equal(v.Env, w.Env) && slices.Equal(v.RunEnv, w.RunEnv) && slices.Equal(v.AfterStart, w.AfterStart)
}

// Binary is a built variant.
type Binary struct {
	Variant Variant `json:"variant"`
	// Path is the executable; Dir the directory its package was built from.
	Path string `json:"path"`
	Dir  string `json:"dir"`
	// Package and Module are import paths.
	Package string `json:"package"`
	Module  string `json:"module"`
	// BuildID is the Go build ID that the linker wrote into the executable; empty if the
	// build flags asked for none.
	BuildID string `json:"build_id"`
	// GoVersion is the toolchain that built it, as the executable says (go1.26.8).
	GoVersion string `json:"go_version"`
	// IgnoresQuota says that its runtime takes GOMAXPROCS from the CPUs that it sees, whatever a control group may use:
	// it is older than Go 1.25, or go.mod has an older go line.
	IgnoresQuota bool `json:"ignores_quota,omitempty"`
	// Commit is the git commit of the source, empty outside a repository; Dirty says
	// that the work tree differed from it.
	Commit string `json:"commit,omitempty"`
	Dirty  bool   `json:"dirty,omitempty"`
	// Checkout is what a source at a git ref was built from; nil for files of the user's.
	Checkout *source.Checkout `json:"checkout,omitempty"`
	// Release is the version of the module that was released (v1.3.0); empty for other sources.
	Release string `json:"release,omitempty"`
	// Notes say to the user where the program was built other than plain git and go would
	// have done.
	Notes []string `json:"notes,omitempty"`
	// ExportsMetrics says that a module is linked that serves metrics, by its name.
	ExportsMetrics bool `json:"exports_metrics,omitempty"`
	// Probed says that the program has the probe: hone added it, or it imports it.
	Probed bool `json:"probed"`
	// Command is the go build command as it was run in WorkDir, for the user to repeat.
	Command []string `json:"command"`
	WorkDir string   `json:"work_dir"`
}

// Version names what the binary was built from: a git ref or a release. It is empty for files as they are.
func (b *Binary) Version() string {
	switch {
	case b.Checkout != nil:
		return "git ref " + b.Checkout.Ref
	case b.Release != "":
		return "release " + b.Release
	}
	return ""
}
