package config

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml/ast"

	"github.com/gohone/hone/internal/sys/cgroup"
)

// container reads what a container may use, and its environment.
func (r *reader) container(n ast.Node, p Pod) *Pod {
	keys := r.keys(n)
	resources := r.keys(keys["resources"])
	p.Limits, p.Requests = r.limits(resources["limits"]), r.limits(resources["requests"])
	if p.Requests.CPUs == 0 { // the defaults of Kubernetes
		p.Requests.CPUs = p.Limits.CPUs
	}
	if p.Requests.Memory == 0 {
		p.Requests.Memory = p.Limits.Memory
	}
	if p.Limits.CPUs == 0 {
		p.note("it has no limit of CPU time, so that the box has none; a request counts only where neighbours want more")
	}
	if p.Limits.Memory == 0 {
		p.note("it has no memory limit, so that the box has none")
	}
	if from := r.items(keys["envFrom"]); len(from) > 0 {
		p.note("envFrom names ConfigMaps or Secrets, which are in the cluster: give what the program needs by --env")
	}
	for _, one := range r.items(keys["env"]) {
		r.variable(one, &p)
	}
	return &p
}

func (p *Pod) note(format string, args ...any) {
	p.Notes = append(p.Notes, fmt.Sprintf("%s, container %s: %s", p.Workload, p.Container, fmt.Sprintf(format, args...)))
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

// variable adds an entry of env. A later one counts, as in Kubernetes.
func (r *reader) variable(n ast.Node, p *Pod) {
	keys := r.keys(n)
	name := r.word(keys["name"])
	if name == "" || strings.ContainsAny(name, "=\x00") {
		r.say(nodePosition(n, Position{1, 1}), "", "env: %q is not a name", name)
		return
	}
	from := r.keys(keys["valueFrom"])
	if len(from) == 0 {
		p.Env = append(p.Env, name+"="+p.expand(r.word(keys["value"])))
		return
	}
	if field := from["resourceFieldRef"]; field != nil {
		r.resourceField(field, name, p)
		return
	}
	for _, kind := range []string{"secretKeyRef", "configMapKeyRef", "fieldRef", "fileKeyRef"} {
		if from[kind] != nil {
			p.note("%s comes from a %s, which only the cluster knows: give it by --env", name, kind)
			return
		}
	}
	p.note("%s has a valueFrom that hone does not know: give it by --env", name)
}

// resourceField computes a limit or a request as the downward API does: divided by the divisor, and rounded up
// (k8s.io/kubernetes, pkg/api/v1/resource, ExtractContainerResourceValue).
func (r *reader) resourceField(n ast.Node, name string, p *Pod) {
	keys := r.keys(n)
	resource, divisor := r.word(keys["resource"]), r.quantity(keys["divisor"])
	if other := r.word(keys["containerName"]); other != "" && other != p.Container {
		p.note("%s is a limit of container %s: give it by --env", name, other)
		return
	}
	value, known := map[string]float64{
		"limits.cpu": p.Limits.CPUs, "limits.memory": float64(p.Limits.Memory),
		"requests.cpu": p.Requests.CPUs, "requests.memory": float64(p.Requests.Memory),
	}[resource]
	switch {
	case !known:
		p.note("%s comes from %s, which only the cluster knows: give it by --env", name, resource)
	case value == 0:
		p.note("%s comes from %s, which the manifest does not set: Kubernetes takes what the node has", name, resource)
	default:
		if divisor == 0 {
			divisor = 1
		}
		p.Env = append(p.Env, name+"="+strconv.FormatFloat(math.Ceil(value/divisor-1e-9), 'f', 0, 64))
	}
}

// expand fills $(NAME) by the variables so far; $$ is a dollar, and a name that is not there stays as it is
// (k8s.io/kubernetes, third_party/forked/golang/expansion).
func (p *Pod) expand(text string) string {
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(text, "$")
		b.WriteString(before)
		if !found {
			return b.String()
		}
		name, after, closed := strings.Cut(strings.TrimPrefix(rest, "("), ")")
		switch value, known := p.value(name); {
		case strings.HasPrefix(rest, "$"):
			b.WriteByte('$')
			text = rest[1:]
		case strings.HasPrefix(rest, "(") && closed && known:
			b.WriteString(value)
			text = after
		default:
			b.WriteByte('$')
			text = rest
		}
	}
}

// value is that of a variable so far.
func (p *Pod) value(name string) (string, bool) {
	for i := len(p.Env) - 1; i >= 0; i-- {
		if value, ok := strings.CutPrefix(p.Env[i], name+"="); ok {
			return value, true
		}
	}
	return "", false
}
