package service

import (
	"slices"

	"github.com/gohone/hone/internal/conduct/lab"
	"github.com/gohone/hone/internal/program/build"
	"github.com/gohone/hone/internal/program/templates"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/wire/schemes"
)

// arrange picks the arrangement. canIsolate is asked only when it matters; its
// error is the reason that Alternating reports.
func arrange(r lab.Task, canIsolate func() error) (a record.Arrangement, why string) {
	template := listensAt(r.Target)
	takesPort := slices.ContainsFunc(r.Variants, func(v build.Variant) bool {
		return holdsOne(template, v.Args, v.Env, v.RunEnv)
	}) ||
		holdsOne(template, r.Args)
	switch {
	case len(r.Variants) == 1:
		return record.Single, ""
	case takesPort:
		return record.Ports, ""
	case schemes.OverUnix(r.Target):
		return record.Alternating,
			"the variants listen on the same Unix socket; {socket} in their arguments gives each its own"
	case r.Protocol.HTTP3:
		return record.Alternating,
			"the variants listen on the same fixed port, and HTTP/3 is not spoken into a network namespace"
	case r.LoadCommand.Given():
		return record.Alternating,
			"the variants listen on the same fixed port, and a load command could not reach a network namespace"
	case r.Agents != nil:
		return record.Alternating,
			"the variants listen on the same fixed port, and agents could not reach a network namespace"
	case r.NoIsolate:
		return record.Alternating,
			"the variants listen on the same fixed port, and namespaces are ruled out (--set no-isolate)"
	}
	if len(r.Needs) > 0 {
		return record.Alternating,
			"the variants listen on the same fixed port, and could not reach what they need from a network namespace"
	}
	if slices.ContainsFunc(r.Variants, func(v build.Variant) bool { return v.AfterStart != nil }) {
		return record.Alternating,
			"the variants listen on the same fixed port, and the command after their start could not reach a network " +
				"namespace"
	}
	if err := canIsolate(); err != nil {
		return record.Alternating,
			"the variants listen on the same fixed port, and network namespaces are unavailable: " + err.Error()
	}
	return record.Namespaces, "the variants listen on the same fixed port"
}

// listensAt are the templates by which a program is told where a target expects it: that of its kind, or either of them
// for a target that is to be found.
func listensAt(target string) []string {
	switch {
	case target == "":
		return []string{templates.Port, templates.Socket}
	case schemes.OverUnix(target):
		return []string{templates.Socket}
	}
	return []string{templates.Port}
}

// holdsOne says whether one of the texts holds one of the templates.
func holdsOne(all []string, lists ...[]string) bool {
	return slices.ContainsFunc(all, func(t string) bool { return templates.StandIn(t, lists...) })
}
