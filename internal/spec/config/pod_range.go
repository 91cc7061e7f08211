package config

import (
	"cmp"

	"github.com/goccy/go-yaml/ast"

	"github.com/gohone/hone/internal/sys/cgroup"
)

const limitRangeKind = "LimitRange"

// limitRange is what the containers of a namespace get that set no limit or request themselves.
type limitRange struct {
	name, namespace  string
	limits, requests cgroup.Limits
}

// limitRange reads the items for containers; a limit that has no default is the largest that is allowed
// (https://kubernetes.io/docs/concepts/policy/limit-range).
func (r *reader) limitRange(spec ast.Node, name, namespace string) limitRange {
	l := limitRange{name: name, namespace: namespace}
	for _, item := range r.items(r.keys(spec)["limits"]) {
		keys := r.keys(item)
		if r.word(keys["type"]) != "Container" {
			continue
		}
		limits := filled(r.limits(keys["default"]), r.limits(keys["max"]))
		l.limits = filled(l.limits, limits)
		l.requests = filled(l.requests, filled(r.limits(keys["defaultRequest"]), limits))
	}
	return l
}

// apply gives a container the defaults.
func (l limitRange) apply(p *Pod) {
	was := p.Limits
	p.Limits, p.Requests = filled(p.Limits, l.limits), filled(p.Requests, l.requests)
	if p.Limits != was {
		p.note("its limits are the defaults of LimitRange %s", cmp.Or(l.name, "without a name"))
	}
}
