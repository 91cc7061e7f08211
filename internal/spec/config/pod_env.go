package config

import (
	"math"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml/ast"
)

// What an environment may have. The kernel starts no program with a longer variable (MAX_ARG_STRLEN, execve(2)), or
// with more than some 2 MB in all (ARG_MAX); and a few variables that hold each other twice would fill any memory.
const (
	mostVariable    = 128 << 10 // bytes
	mostEnvironment = 1 << 20   // bytes
)

// podVariables are the variables of a container so far.
type podVariables struct {
	pod    *Pod
	values map[string]string
	bytes  int
}

func (e *podVariables) add(name, value string) {
	e.pod.Env = append(e.pod.Env, name+"="+value)
	e.values[name] = value
	e.bytes += len(name) + len(value) + len("=\x00")
}

// variable adds an entry of env, and says whether another one may follow. A later one counts, as in Kubernetes.
func (r *reader) variable(n ast.Node, e *podVariables) (more bool) {
	keys, p := r.keys(n), e.pod
	name := r.word(keys["name"])
	if name == "" || strings.ContainsAny(name, "=\x00") {
		r.say(nodePosition(n, Position{1, 1}), "", "env: %q is not a name", shortened(name))
		return true
	}
	from := r.keys(keys["valueFrom"])
	if len(from) == 0 {
		value, whole := e.expand(r.word(keys["value"]))
		if !whole || e.bytes+len(value) > mostEnvironment {
			r.say(nodePosition(n, Position{1, 1}), "make them shorter: the system starts no program with longer ones",
				"env: with %s the variables are too long: more than %d kB each, or %d kB in all",
				shortened(name), mostVariable>>10, mostEnvironment>>10)
			return false
		}
		e.add(name, value)
		return true
	}
	if field := from["resourceFieldRef"]; field != nil {
		r.resourceField(field, name, e)
		return true
	}
	for _, kind := range []string{"secretKeyRef", "configMapKeyRef", "fieldRef", "fileKeyRef"} {
		if from[kind] != nil {
			p.note("%s comes from a %s, which only the cluster knows: give it by --env", name, kind)
			return true
		}
	}
	p.note("%s has a valueFrom that hone does not know: give it by --env", name)
	return true
}

// resourceField computes a limit or a request as the downward API does: divided by the divisor, and rounded up
// (k8s.io/kubernetes, pkg/api/v1/resource, ExtractContainerResourceValue).
func (r *reader) resourceField(n ast.Node, name string, e *podVariables) {
	keys, p := r.keys(n), e.pod
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
		e.add(name, strconv.FormatFloat(math.Ceil(value/divisor-1e-9), 'f', 0, 64))
	}
}

// expand fills $(NAME) by the variables so far; $$ is a dollar, and a name that is not there stays as it is
// (k8s.io/kubernetes, third_party/forked/golang/expansion). whole is false for a value that is too long.
func (e *podVariables) expand(text string) (value string, whole bool) {
	var b strings.Builder
	for len(text) <= mostVariable && b.Len() <= mostVariable {
		before, rest, found := strings.Cut(text, "$")
		b.WriteString(before)
		if !found {
			return b.String(), b.Len() <= mostVariable
		}
		name, after, closed := strings.Cut(strings.TrimPrefix(rest, "("), ")")
		switch value, known := e.values[name]; {
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
	return "", false
}
