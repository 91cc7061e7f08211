package build

import (
	"cmp"
	"context"
	"debug/buildinfo"
	"errors"
	"fmt"
	"go/version"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/gohone/hone/internal/program/gocommand"
	"github.com/gohone/hone/internal/program/lifetime"
	"github.com/gohone/hone/internal/program/output"
	"github.com/gohone/hone/internal/program/source"
	"github.com/gohone/hone/internal/sys/git"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/redact"
	"github.com/gohone/hone/internal/text/shellwords"
)

// Options say where a build finds its source and where it leaves its files.
type Options struct {
	// Source says where the variant's source is looked for.
	Source source.Options
	// OutDir receives a directory per variant, with its name: the executable, called
	// as go build would call it, and the files of the overlay; those of a layout are in
	// a directory of their own therein. It is created if it is not there. Required.
	OutDir string
}

// Program builds a variant with go build, in the directory of its package, and adds the
// probe unless the package imports it already or the variant says NoInject. Statements of SQL
// then stand in execution traces, too (package sqltrace). No other flag is added, but
// -randlayout for a layout: inlining and symbols are as in the user's own build. For another
// layout of a variant go compiles package main again, since its build information holds the
// flags, and takes all others from its cache.
//
// Errors: fail.BadInput for a source that is not there or not a main package, and for a toolchain that is unknown,
// cannot be had or cannot do a layout; fail.Subject for a build that fails, with the last 20 lines of its output and
// the command that repeats it, and for another toolchain than was asked for; fail.Environment if go or git is missing;
// fail.Storage if a disk that go writes to is full. When ctx is done, every process of the build is killed and the
// error is ctx's.
func Program(ctx context.Context, v Variant, o Options) (*Binary, error) {
	if err := checkBuildInput(v, o); err != nil {
		return nil, err
	}
	env := Env(v)
	o.Source.Env, o.Source.Flags = env, v.BuildFlags
	s, flags, err := resolve(ctx, v, o.Source)
	if err != nil {
		return nil, fmt.Errorf("variant %s: %w", v.Name, err)
	}
	out, err := outDir(v, o.OutDir)
	if err != nil {
		return nil, fail.New(fail.Or(fail.Environment, err), "build variant %s: %w", v.Name, err)
	}
	b := &Binary{Variant: v, Path: filepath.Join(out, programName(s)), Dir: s.Dir, WorkDir: s.WorkDir,
		Package: s.Package, Module: s.Module, Commit: s.Commit, Dirty: s.Dirty, Checkout: s.Checkout,
		Release: s.Release, Notes: slices.Clone(s.Notes)}
	targets := s.Targets
	b.Probed = !v.NoInject || s.ImportsProbe
	replace, added, sql, err := writeOverlay(ctx, s, v, env, out)
	b.Command = []string{sql.command(), "build"}
	if sql.note != "" {
		b.Notes = append(b.Notes, sql.note)
	}
	if err == nil && len(replace) > 0 {
		b.Command = append(b.Command, "-overlay", overlayFile(out))
		targets = slices.Concat(targets, added)
		err = writeReplace(replace, out)
	}
	if err == nil && v.counted {
		err = writeCoverTool(replace, v.toolExec, out)
	}
	if err != nil {
		return nil, fmt.Errorf("build variant %s: %w", v.Name, err)
	}
	b.Command = append(b.Command, "-o", b.Path)
	stamping, unstamped := git.Stamping(ctx, s.Dir)
	b.Command = append(b.Command, flags...)
	if unstamped != "" {
		b.Command = append(b.Command, "-buildvcs=false")
		b.Notes = append(b.Notes, "built with -buildvcs=false: "+unstamped)
	}
	b.Command = append(append(b.Command, "--"), targets...)
	env = append(env, stamping...)
	err = b.compile(ctx, append(env, sql.environment()...), out, replace, o.Source.WorkDir)
	if sql.breaks(err) {
		b.without(&sql, replace)
		if err = writeReplace(replace, out); err == nil {
			err = b.compile(ctx, env, out, replace, o.Source.WorkDir)
		}
	}
	if err != nil {
		return nil, err
	}
	return b, b.identify()
}

// compile runs b.Command. Where a checkout lacks files that the program embeds, it adds those of
// the working tree, workDir's, and runs it again, as long as that helps.
func (b *Binary) compile(ctx context.Context, env []string, out string, replace map[string]string,
	workDir string) error {
	for {
		wrote, err := b.run(ctx, env, out)
		if wrote == "" {
			return err
		}
		more, bad := b.embedded(ctx, wrote, workDir)
		if bad != nil {
			return fmt.Errorf("build variant %s: %w", b.Variant.Name, bad)
		}
		before := len(replace)
		if replace == nil {
			replace = map[string]string{}
		}
		maps.Copy(replace, more.Replace)
		if hint := more.Hint(); hint != "" {
			return fail.New(fail.Subject, "build variant %s (%s): %w\n%s", b.Variant.Name, b.Variant.Source, err,
				output.LastLines(wrote)).WithHint("%s", hint)
		}
		if len(replace) == before {
			return b.buildError(err, wrote)
		}
		if err := writeReplace(replace, out); err != nil {
			return err
		}
		if !slices.Contains(b.Command, overlayFile(out)) {
			b.Command = slices.Insert(b.Command, 2, "-overlay", overlayFile(out)) // after go build
		}
		b.Notes = append(b.Notes, more.Note())
	}
}

// embedded is what the working tree has of the files that a checkout lacks.
func (b *Binary) embedded(ctx context.Context, wrote, workDir string) (Embedded, error) {
	if b.Checkout == nil {
		return Embedded{}, nil
	}
	tree, err := git.Run(ctx, workDir, "rev-parse", "--show-toplevel")
	if err != nil {
		return Embedded{}, nil // the build's own error says what is missing
	}
	return FindEmbedded(wrote, b.WorkDir, b.Checkout.Root, tree)
}

// resolve finds the source of a build, and its flags.
func resolve(ctx context.Context, v Variant, o source.Options) (s *source.Source, flags []string, err error) {
	if s, err = v.source(ctx, o); err != nil || v.Layout == 0 {
		return s, v.BuildFlags, err
	}
	settings, err := gocommand.ReadSettings(ctx, o.Env, s.WorkDir)
	if err == nil {
		err = checkLayoutVersion(settings.GOVERSION)
	}
	if err == nil {
		flags, err = withLayout(settings.GOFLAGS, v.BuildFlags, v.Layout)
	}
	return s, flags, err
}

// source finds the source, or takes the one that was prepared: found again, a checkout would
// be cleaned.
func (v Variant) source(ctx context.Context, o source.Options) (*source.Source, error) {
	if v.prepared == nil {
		return source.Resolve(ctx, v.Source, o)
	}
	s := *v.prepared
	return s.Find(ctx, v.Source, o)
}

// outDir makes the directory for the files of a build.
func outDir(v Variant, base string) (string, error) {
	out, err := filepath.Abs(filepath.Join(base, v.Name))
	if err != nil {
		return "", err
	}
	if v.Layout != 0 {
		out = filepath.Join(out, layoutDir(v.Layout))
	}
	return out, os.MkdirAll(out, 0o700)
}

var safeName = regexp.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9_.-]*$`)

// checkBuildInput refuses what would break the build in a way hard to understand.
func checkBuildInput(v Variant, o Options) error {
	if o.OutDir == "" {
		return errors.New("build variant: OutDir is empty")
	}
	if !safeName.MatchString(v.Name) {
		return fail.New(fail.BadInput, "variant name %q: want letters, digits, _ . -", v.Name)
	}
	if v.Layout < 0 {
		return fail.New(fail.BadInput, "variant %s: layout %d is negative", v.Name, v.Layout)
	}
	if err := checkToolchainInput(v); err != nil {
		return err
	}
	goflags := os.Getenv("GOFLAGS")
	for _, entry := range v.Env {
		key, value, found := strings.Cut(entry, "=")
		if !found || key == "" {
			return fail.New(fail.BadInput, "variant %s: environment %q: want KEY=VALUE", v.Name, entry)
		}
		if key == "GOFLAGS" {
			goflags = value
		}
	}
	fromEnv, err := gocommand.SplitFlags(goflags)
	if err != nil {
		return fail.New(fail.BadInput, "variant %s: read GOFLAGS: %w", v.Name, err)
	}
	for _, flag := range append(fromEnv, v.BuildFlags...) {
		name, _, _ := strings.Cut("-"+strings.TrimLeft(flag, "-"), "=")
		switch {
		case name == "-overlay" && len(v.Overlay) > 0:
			return fail.New(fail.BadInput,
				"variant %s: the flag -overlay is in use, and hone builds changed files with it",
				v.Name).
				WithHint("write the overlay's files into the tree, and leave out the flag")
		case name == "-overlay" && !v.NoInject:
			return fail.New(fail.BadInput, "variant %s: the flag -overlay is in use, and hone adds the probe with it",
				v.Name).
				WithHint("build without the probe (--set no-inject), or import %q in the program", source.ProbePackage)
		case name == "-o" || name == "-C":
			return fail.New(fail.BadInput, "variant %s: the build flag %s belongs to hone", v.Name, name)
		}
	}
	return nil
}

// Env is the environment of all that is run to build v: hone's own, what makes git
// safe, the toolchain, and the variant's additions, of which the last counts.
func Env(v Variant) []string {
	env := append(os.Environ(), git.Safety()...)
	if v.Toolchain != "" {
		env = append(env, "GOTOOLCHAIN="+v.Toolchain)
	}
	if source.IsRelease(v.Source) {
		env = append(env, source.ReleaseEnv)
	}
	return append(env, v.Env...)
}

var majorVersion = regexp.MustCompile(`^v[0-9]+$`)

// programName is what go build would call the executable.
func programName(s *source.Source) string {
	if s.OfFiles() {
		return executableName(strings.TrimSuffix(s.Targets[0], ".go"))
	}
	return executableName(s.Package)
}

// executableName is BaseName where that can be the name of a file.
func executableName(pkg string) string {
	if name := BaseName(pkg); safeName.MatchString(name) {
		return name
	}
	return "subject"
}

// BaseName is the last element of an import path that is not a major version, as go build names executables.
func BaseName(pkg string) string {
	name := path.Base(pkg)
	if parent := path.Dir(pkg); parent != "." && majorVersion.MatchString(name) {
		name = path.Base(parent)
	}
	return name
}

// run runs b.Command. Of a build that failed it returns the output, and go's error.
func (b *Binary) run(ctx context.Context, env []string, out string) (wrote string, err error) {
	// The compiler's files go where the caller cleans up: a killed go build leaves them.
	temp, err := os.MkdirTemp(out, "tmp")
	if err != nil {
		return "", fail.New(fail.Or(fail.Environment, err), "build variant %s: %w", b.Variant.Name, err)
	}
	defer os.RemoveAll(temp)
	cmd := exec.CommandContext(ctx, b.Command[0], b.Command[1:]...)
	cmd.Dir = b.WorkDir
	cmd.Env = gocommand.Env(env, b.WorkDir, "GOTMPDIR="+temp)
	wrote, err = lifetime.WithOutput(cmd, lifetime.Run)
	switch {
	case err == nil:
		return "", nil
	case ctx.Err() != nil:
		return "", fmt.Errorf("build variant %s: %w", b.Variant.Name, ctx.Err())
	case errors.Is(err, exec.ErrNotFound):
		return "", gocommand.ErrMissing()
	}
	if full := gocommand.CheckDisk(ctx, env, b.WorkDir, temp, wrote); full != nil {
		return "", fmt.Errorf("build variant %s: %w", b.Variant.Name, full)
	}
	return cmp.Or(wrote, err.Error()), err
}

// buildError shows the end of the output, and how to see all of it without hone.
func (b *Binary) buildError(err error, wrote string) error {
	text := output.LastLines(wrote)
	fault := fail.New(fail.Subject, "build variant %s (%s): %w\n%s", b.Variant.Name, b.Variant.Source, err, text)
	if strings.Contains(text, probePrefix) {
		return fault.WithHint("the probe does not compile in this program: build without it (--set no-inject)")
	}
	env := b.Variant.Env
	if b.Variant.Toolchain != "" {
		env = append([]string{"GOTOOLCHAIN=" + b.Variant.Toolchain}, env...)
	}
	repeat := append([]string{"go", "build", "-o", os.DevNull}, b.Command[slices.Index(b.Command, b.Path)+1:]...)
	repeat = slices.DeleteFunc(repeat,
		func(word string) bool { return strings.HasPrefix(word, probePrefix) && source.IsGoFile(word) })
	line := "cd " + shellwords.Quote(b.WorkDir) + " && "
	for _, entry := range env {
		key, value, _ := strings.Cut(redact.Entry(entry), "=")
		line += key + "=" + shellwords.Quote(value) + " "
	}
	lacks := generatedHint(wrote, b.WorkDir)
	return fault.WithHint("%srun it alone: (%s%s)", lacks, line, shellwords.Join(redact.Args(repeat)))
}

// identify reads from the executable what only the build knew.
func (b *Binary) identify() error {
	info, err := buildinfo.ReadFile(b.Path)
	if err != nil {
		return fail.New(fail.Subject, "build variant %s: read build information: %w", b.Variant.Name, err)
	}
	b.tell(info)
	if err := b.checkToolchainUsed(); err != nil {
		return err
	}
	if b.BuildID, err = IDOf(b.Path); err != nil && !errors.Is(err, errNoBuildID) {
		return fail.New(fail.Subject, "build variant %s: %w", b.Variant.Name, err)
	}
	return nil
}

// tell takes what the build information of an executable says of how it was built.
func (b *Binary) tell(info *buildinfo.BuildInfo) {
	b.GoVersion = info.GoVersion
	b.IgnoresQuota = version.Compare(gocommand.ReleaseOf(info.GoVersion), "go1.25") < 0 ||
		slices.ContainsFunc(info.Settings, func(s debug.BuildSetting) bool {
			return s.Key == "DefaultGODEBUG" && strings.Contains(s.Value, "containermaxprocs=0")
		})
	b.ExportsMetrics = slices.ContainsFunc(info.Deps, func(m *debug.Module) bool {
		return strings.Contains(m.Path, "prometheus") || strings.Contains(m.Path, "metrics")
	})
}
