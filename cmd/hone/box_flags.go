package main

import (
	"cmp"
	"slices"
	"strings"

	"github.com/gohone/hone/internal/program/build"
	"github.com/gohone/hone/internal/spec/config"
	"github.com/gohone/hone/internal/sys/cgroup"
)

// likePod reads the manifest of --like, and gives all variants its environment, which is that of the program and not of its build. What a
// variant is given otherwise counts more.
func (f *measureFlags) likePod(all []build.Variant) (err error) {
	if f.Like == "" {
		return nil
	}
	if f.pod, err = config.OpenPod(f.Like); err != nil {
		return err
	}
	for i := range all {
		v := &all[i]
		v.RunEnv = slices.Concat(without(f.pod.Env, v.Env), v.RunEnv)
	}
	f.request.Notes = f.pod.Notes
	return nil
}

// without are the entries KEY=value whose keys are not in others.
func without(entries, others []string) []string {
	return slices.DeleteFunc(slices.Clone(entries), func(e string) bool {
		key, _, _ := strings.Cut(e, "=")
		return slices.ContainsFunc(others, func(o string) bool { return strings.HasPrefix(o, key+"=") })
	})
}

// box is what the programs may use: by --cpus and --memory, or else by the manifest.
func (f *measureFlags) box() (cgroup.Limits, error) {
	limits, err := config.ParseLimits(f.CPULimit, f.MemoryLimit)
	if f.pod != nil {
		limits.CPUs, limits.Memory = cmp.Or(limits.CPUs, f.pod.Limits.CPUs), cmp.Or(limits.Memory, f.pod.Limits.Memory)
	}
	return limits, err
}
