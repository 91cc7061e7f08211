package lab

import (
	"slices"
	"strings"

	"github.com/gohone/hone/internal/subject"
)

// Arrangement is how the variants stand beside each other while they are measured.
type Arrangement string

const (
	// Single: one variant, nothing beside it.
	Single Arrangement = "single"
	// Ports: all variants run at once, each on a free port of its own.
	Ports Arrangement = "together, each on a free port"
	// Namespaces: all run at once on the same fixed port, each in a network
	// namespace of its own; the guard inside hands over the connections.
	Namespaces Arrangement = "together, each in a network namespace"
	// Alternating: the variants cannot run at once, so each block starts one after
	// the other. Drift of the machine between the two starts stays in the result.
	Alternating Arrangement = "by alternating restarts"
)

// together says whether all variants are up at the same time.
func (a Arrangement) together() bool { return a != Alternating }

// arrange picks the arrangement. canIsolate is asked only when it matters; its
// error is the reason that Alternating reports.
func arrange(r Request, canIsolate func() error) (a Arrangement, why string) {
	takesPort := slices.ContainsFunc(r.Variants, func(v subject.Variant) bool { return hasPort(v.Args, v.Env, v.RunEnv) }) ||
		hasPort(r.Args)
	switch {
	case len(r.Variants) == 1:
		return Single, ""
	case takesPort:
		return Ports, ""
	case r.NoIsolate:
		return Alternating, "the variants listen on the same fixed port, and namespaces are ruled out (--no-isolate)"
	}
	if slices.ContainsFunc(r.Variants, func(v subject.Variant) bool { return v.AfterStart != nil }) {
		return Alternating, "the variants listen on the same fixed port, and the command after their start could not reach a network namespace"
	}
	if err := canIsolate(); err != nil {
		return Alternating, "the variants listen on the same fixed port, and network namespaces are unavailable: " + err.Error()
	}
	return Namespaces, "the variants listen on the same fixed port"
}

func hasPort(lists ...[]string) bool {
	for _, list := range lists {
		for _, s := range list {
			if strings.Contains(s, subject.PortTemplate) {
				return true
			}
		}
	}
	return false
}
