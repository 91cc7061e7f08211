package tune

import (
	"os"
	"slices"
	"strings"

	"github.com/gohone/hone/internal/program/build"
)

// Setting is one way to build or start the program other than it is.
type Setting struct {
	// Name is what reports call it: GOGC=400, PGO, compression.
	Name string `json:"name"`
	// Kind is what it is a choice of: pgo, gc, gomaxprocs, goexperiment; together for several.
	// Empty where there is no choice.
	Kind string `json:"kind,omitempty"`
	// Env are KEY=VALUE additions for the program alone, BuildEnv those for its build as well.
	Env      []string `json:"env,omitempty"`
	BuildEnv []string `json:"build_env,omitempty"`
	// Args go behind the variant's own arguments.
	Args []string `json:"args,omitempty"`
	// Flags go to go build behind the variant's own, Tags are added to its build tags.
	Flags []string `json:"flags,omitempty"`
	Tags  []string `json:"tags,omitempty"`
}

// of is the variant with the setting, under a name of its own.
func (s Setting) of(v build.Variant, name string) (build.Variant, error) {
	v.Name = name
	v.Env = slices.Concat(v.Env, s.BuildEnv)
	v.RunEnv = slices.Concat(v.RunEnv, s.Env)
	v.Args = slices.Concat(v.Args, s.Args)
	v.BuildFlags = slices.Concat(v.BuildFlags, s.Flags)
	if len(s.Tags) == 0 {
		return v, nil
	}
	var err error
	v.BuildFlags, err = build.WithTags(os.Getenv("GOFLAGS"), v, s.Tags)
	return v, err
}

// ofCollector says whether it sets the collector.
func (s Setting) ofCollector() bool {
	return slices.ContainsFunc(s.Env, func(entry string) bool {
		return strings.HasPrefix(entry, "GOGC=") || strings.HasPrefix(entry, "GOMEMLIMIT=")
	})
}

// setting is what a variable is set to for the program: by the variant, or else by hone's own
// environment; false if it is not set. An empty value is as good as none to the Go runtime.
func setting(v build.Variant, name string) (value string, ok bool) {
	all := slices.Concat(os.Environ(), v.Env, v.RunEnv)
	for _, entry := range slices.Backward(all) {
		if rest, found := strings.CutPrefix(entry, name+"="); found {
			return rest, rest != ""
		}
	}
	return "", false
}
