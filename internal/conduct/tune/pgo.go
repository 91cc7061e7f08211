package tune

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/google/pprof/profile"

	"github.com/gohone/hone/internal/program/build"
	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/store/tuning"
	"github.com/gohone/hone/internal/sys/outfile"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/prof"
)

// leastTicks is how many samples a CPU profile has to have to guide a build: with fewer, what is
// hot is chance.
const leastTicks = 100

// PGOProfile is a CPU profile as go build -pgo takes it: without the stacks of hone's probe and of
// the profiler. It is a copy.
func PGOProfile(p *profile.Profile) *profile.Profile {
	out := p.Copy()
	prof.WithoutObserver(out)
	out.Comments = nil
	return out
}

// pgo is the setting of a build guided by a profile, which it writes to a file below dir, or why
// there is none to try. home is the directory of package main.
func pgo(v build.Variant, home string, p *profile.Profile, dir string) (*tuning.Setting, *tuning.Skipped, error) {
	skip := func(format string, args ...any) (*tuning.Setting, *tuning.Skipped, error) {
		return nil, &tuning.Skipped{Name: "PGO", Reason: fmt.Sprintf(format, args...)}, nil
	}
	switch flag := pgoFlag(v); {
	case flag == "off":
	case flag != "" && flag != "auto":
		return skip("it is so already: built with -pgo=%s", flag)
	default:
		if _, err := os.Stat(filepath.Join(home, tuning.PGOFile)); err == nil {
			return skip("it is used already: %s is in the directory of package main", tuning.PGOFile)
		}
	}
	if p == nil {
		return skip("the run has no CPU profile")
	}
	guide := PGOProfile(p)
	ticks := int64(0)
	for _, s := range guide.Sample {
		ticks += s.Value[0]
	}
	if ticks < leastTicks {
		return skip("the CPU profile of the run has %d samples, and it takes %d: measure it with a longer --profile-time",
			ticks, leastTicks)
	}
	path := filepath.Join(dir, "cpu.pgo")
	if err := outfile.Write(path, outfile.Private, func(w io.Writer) error { return guide.Write(w) }); err != nil {
		return nil, nil, fail.New(fail.Or(fail.Environment, err), "write profile for PGO: %w", err)
	}
	return &tuning.Setting{Name: "PGO", Kind: spec.SettingPGO, Flags: []string{"-pgo=" + path}}, nil, nil
}

// pgoFlag is the value of the last -pgo of a variant's build flags; empty if there is none.
func pgoFlag(v build.Variant) (value string) {
	for _, flag := range v.BuildFlags {
		if rest, found := strings.CutPrefix("-"+strings.TrimLeft(flag, "-"), "-pgo="); found {
			value = rest
		}
	}
	return value
}

// WritePGO writes a CPU profile as default.pgo into the directory of package main, whole or not at
// all, and returns its path. A file that is there is replaced with force only. If the directory lies below workDir,
// no link leads out of that.
func WritePGO(workDir, home string, p *profile.Profile, force bool) (path string, err error) {
	path = filepath.Join(home, tuning.PGOFile)
	if _, err := os.Lstat(path); err == nil && !force {
		return "", fail.New(fail.BadInput, "%s is there already", path).WithHint("--force replaces it")
	}
	root, name := workDir, ""
	if name, err = filepath.Rel(root, path); err != nil || !filepath.IsLocal(name) {
		root, name = home, tuning.PGOFile // the user named a directory elsewhere
	}
	guide := PGOProfile(p)
	if err := outfile.WriteBelow(root, name, 0o644, func(w io.Writer) error { return guide.Write(w) }); err != nil {
		return "", fail.New(fail.Or(fail.Environment, err), "write %s: %w", path, err)
	}
	return path, nil
}
