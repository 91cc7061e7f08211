package config

import (
	"cmp"
	"fmt"
	"math"

	"github.com/goccy/go-yaml/ast"

	"github.com/gohone/hone/internal/sys/cgroup"
)

// container reads what a container may use, and its environment. What it does not say itself comes from the LimitRange
// of its namespace, and then from the resources of the whole pod.
func (r *reader) container(n ast.Node, of podSpec, ranges []limitRange, p Pod) *Pod {
	keys := r.keys(n)
	resources := r.keys(keys["resources"])
	p.Limits, p.Requests = r.limits(resources["limits"]), r.limits(resources["requests"])
	p.Requests = filled(p.Requests, p.Limits) // the defaults of Kubernetes
	for _, l := range ranges {
		if l.namespace == of.Namespace {
			l.apply(&p)
		}
	}
	whole := r.keys(of.Spec["resources"])
	if all := r.limits(whole["limits"]); filled(p.Limits, all) != p.Limits {
		p.Limits = filled(p.Limits, all)
		if others := len(r.items(of.Spec["containers"])) - 1; others > 0 {
			p.note("its limits are those of the whole pod, which it shares with %d more: in the box it has them for itself",
				others)
		}
	}
	p.Requests = filled(filled(p.Requests, r.limits(whole["requests"])), p.Limits)
	if p.Limits.CPUs == 0 {
		p.note("it has no limit of CPU time, so that the box has none; a request counts only where neighbours want more")
	}
	if p.Limits.Memory == 0 {
		p.note("it has no memory limit, so that the box has none")
	}
	if from := r.items(keys["envFrom"]); len(from) > 0 {
		p.note("envFrom names ConfigMaps or Secrets, which are in the cluster: give what the program needs by --env")
	}
	e := &podVariables{pod: &p, values: map[string]string{}}
	for _, one := range r.items(keys["env"]) {
		if !r.variable(one, e) {
			break
		}
	}
	return &p
}

// filled are limits, and others where there is none.
func filled(l, others cgroup.Limits) cgroup.Limits {
	l.CPUs, l.Memory = cmp.Or(l.CPUs, others.CPUs), cmp.Or(l.Memory, others.Memory)
	return l
}

func (p *Pod) note(format string, args ...any) {
	p.Notes = append(p.Notes, fmt.Sprintf("%s, container %s: %s", p.Workload, p.Container,
		fmt.Sprintf(format, args...)))
}

// limits reads the keys cpu and memory.
func (r *reader) limits(n ast.Node) (l cgroup.Limits) {
	keys := r.keys(n)
	l.CPUs = r.quantity(keys["cpu"])
	l.Memory = int64(math.Ceil(min(r.quantity(keys["memory"]), math.MaxInt64/2)))
	if err := l.Validate(); err != nil {
		r.say(nodePosition(n, Position{1, 1}), "", "%v", err)
	}
	return l
}

// quantity is 0 for what is missing.
func (r *reader) quantity(n ast.Node) float64 {
	text := r.word(n)
	if text == "" {
		return 0
	}
	v, err := ParseQuantity(text)
	if err != nil {
		r.say(nodePosition(n, Position{1, 1}), "", "%v", err)
	}
	return v
}
