package read

import (
	"cmp"
	"slices"
	"strings"

	"github.com/gohone/hone/internal/program/build"
	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/spec/config"
)

// LikePod reads the manifest of --like, and gives all variants its environment, which is that of the program and not of
// its build. What a variant is given otherwise counts more.
func LikePod(p *spec.Program, all []build.Variant) error {
	if p.Like == "" {
		return nil
	}
	pod, err := config.OpenPod(p.Like)
	if err != nil {
		return err
	}
	for i := range all {
		v := &all[i]
		v.RunEnv = slices.Concat(without(pod.Env, v.Env), v.RunEnv)
	}
	p.Notes, p.Box = pod.Notes, pod.Limits
	return nil
}

// without are the entries KEY=value whose keys are not in others.
func without(entries, others []string) []string {
	return slices.DeleteFunc(slices.Clone(entries), func(e string) bool {
		key, _, _ := strings.Cut(e, "=")
		return slices.ContainsFunc(others, func(o string) bool { return strings.HasPrefix(o, key+"=") })
	})
}

// readBox reads what the programs may use: by --cpus and --memory, or else by the manifest, which LikePod has read.
func readBox(p *spec.Program) error {
	given, err := config.ParseLimits(p.CPULimit, p.MemoryLimit)
	p.Box.CPUs, p.Box.Memory = cmp.Or(given.CPUs, p.Box.CPUs), cmp.Or(given.Memory, p.Box.Memory)
	return err
}
