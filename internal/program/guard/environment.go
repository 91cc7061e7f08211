package guard

import (
	"slices"
	"strings"

	"github.com/gohone/hone/internal/program/lifetime"
	"github.com/gohone/hone/probe"
)

// ProbeEnv tells the probe in the subject where to listen. Hone's own value, which it
// has when hone itself is measured, is never passed on.
const ProbeEnv = probe.SocketVariable

// Environment is what the subject gets: hone's own variables, the additions, its mark,
// and the probe's socket if there is one. Of several values for a key the last counts
// and is the only one passed on: programs differ in which of two they take.
func Environment(own, added []string, dir, socket, mark string) []string {
	all := slices.Concat(own, added)
	if dir != "" {
		all = append(all, "PWD="+dir)
	}
	all = append(all, ProbeEnv+"="+socket, lifetime.MarkVariable+"="+mark)
	last := map[string]int{}
	for i, entry := range all {
		last[envKey(entry)] = i
	}
	var env []string
	for i, entry := range all {
		if last[envKey(entry)] == i && entry != ProbeEnv+"=" && entry != lifetime.MarkVariable+"=" {
			env = append(env, entry)
		}
	}
	return env
}

func envKey(entry string) string {
	key, _, _ := strings.Cut(entry, "=")
	return key
}
