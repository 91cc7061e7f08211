package config

import (
	"bytes"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"

	"github.com/goccy/go-yaml/ast"

	"github.com/gohone/hone/internal/sys/cgroup"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/inputs"
)

// Pod is what a Kubernetes manifest says of one container, as far as it matters to a program on another machine.
type Pod struct {
	// Workload is the object it is of: Deployment shop. Container is its name.
	Workload, Container string
	// Limits are what it may use, Requests what it gets if neighbours want more; 0 is what the manifest does not say.
	Limits, Requests cgroup.Limits
	// Env are entries KEY=value in the order of the manifest.
	Env []string
	// Notes say what is in the manifest and not in Env, since only the cluster knows it.
	Notes []string
}

// workloads are the objects with containers, by the keys that lead to the template of their pods.
var workloads = map[string][]string{
	"Pod": {}, "Deployment": {"spec", "template"}, "StatefulSet": {"spec", "template"}, "DaemonSet": {"spec", "template"},
	"ReplicaSet": {"spec", "template"}, "Job": {"spec", "template"}, "CronJob": {"spec", "jobTemplate", "spec", "template"},
}

// kindOfDocument matches the kind of an object without parsing it: others, such as large ConfigMaps, are never parsed.
var kindOfDocument = regexp.MustCompile(`(?m)^[ {]{0,5}"?kind"?:[ \t]*["']?([A-Za-z]+)`)

// OpenPod reads a word FILE or FILE:CONTAINER. Errors are fail.BadInput, with the place.
func OpenPod(word string) (*Pod, error) {
	path, container := word, ""
	if _, err := os.Stat(word); err != nil {
		if i := strings.LastIndexByte(word, ':'); i > 0 {
			path, container = word[:i], word[i+1:]
		}
	}
	content, err := inputs.Manifest.ReadFile(path)
	if err != nil {
		return nil, fail.New(fail.Or(fail.BadInput, err), "read manifest: %w", err).WithHint("--like FILE or FILE:CONTAINER names a Kubernetes manifest")
	}
	return ReadPod(path, content, container)
}

// ReadPod reads a manifest; shown is its name in messages. container may be empty if there is only one.
func ReadPod(shown string, content []byte, container string) (*Pod, error) {
	all := &podFile{faults: faults{shown: shown, help: "hone reads resources and env of the containers of a manifest: docs/box.md"}, wanted: container}
	content = bytes.ReplaceAll(bytes.TrimPrefix(content, []byte("\ufeff")), []byte("\r\n"), []byte("\n"))
	for _, d := range documents(content) {
		kind := kindOfDocument.FindSubmatch(d.text)
		if kind == nil {
			continue
		}
		if _, ok := workloads[string(kind[1])]; !ok && string(kind[1]) != "List" {
			continue
		}
		all.document(d)
	}
	if len(all.list) > 0 {
		return nil, all.err()
	}
	return all.chosen()
}

// document is a part of a file, from a line on; lines are counted from 0.
type document struct {
	line int
	text []byte
}

// documents splits a file at its lines "---".
func documents(content []byte) (all []document) {
	from, start, line := 0, 0, 0
	for at := 0; at < len(content); line++ {
		end := at + bytes.IndexByte(content[at:], '\n') + 1
		if end == at {
			end = len(content)
		}
		text := content[at:end]
		if rest, ok := bytes.CutPrefix(text, []byte("---")); ok && (len(rest) == 0 || bytes.ContainsAny(rest[:1], " \t\n")) {
			all = append(all, document{start, content[from:at]})
			from, start = end, line+1
		}
		at = end
	}
	return append(all, document{start, content[from:]})
}

// podFile gathers the containers of a manifest.
type podFile struct {
	faults
	wanted string
	found  []*Pod
	names  []string // of all containers
	where  []string // the same with their workloads
}

// document reads one object, or a list of them.
func (p *podFile) document(d document) {
	f := faults{shown: p.shown}
	defer func() {
		for _, one := range f.list {
			one.at.Line += d.line
			p.list = append(p.list, one)
		}
	}()
	if len(d.text) > MaxBytes {
		f.say(Position{1, 1}, "keep the workload in a file of its own", "the object is larger than %d kB", MaxBytes>>10)
		return
	}
	if f.checkText(d.text); len(f.list) > 0 {
		return
	}
	body := f.body(d.text)
	if len(f.list) == 0 && body != nil {
		p.object(&reader{faults: &f}, body)
	}
}

// object takes the containers of a workload, or of those in a List.
func (p *podFile) object(r *reader, n ast.Node) {
	keys := r.keys(n)
	kind := r.word(keys["kind"])
	if kind == "List" {
		for _, item := range r.items(keys["items"]) {
			p.object(r, item)
		}
		return
	}
	path, ok := workloads[kind]
	if !ok {
		return
	}
	workload := strings.TrimSpace(kind + " " + r.word(r.keys(keys["metadata"])["name"]))
	for _, key := range append(path, "spec") {
		keys = r.keys(keys[key])
	}
	for _, c := range r.items(keys["containers"]) {
		name := r.word(r.keys(c)["name"])
		p.names, p.where = append(p.names, name), append(p.where, fmt.Sprintf("%s (%s)", name, workload))
		if p.wanted == "" || p.wanted == name {
			p.found = append(p.found, r.container(c, Pod{Workload: workload, Container: name}))
		}
	}
}

// chosen is the one container that is meant.
func (p *podFile) chosen() (*Pod, error) {
	switch {
	case len(p.names) == 0:
		return nil, fail.New(fail.BadInput, "%s has no containers", p.shown).
			WithHint("name a manifest with a Pod, Deployment, StatefulSet, DaemonSet, Job or CronJob")
	case len(p.found) == 0:
		return nil, fail.New(fail.BadInput, "%s has no container %q%s", p.shown, p.wanted, meant(p.wanted, p.names)).
			WithHint("its containers are %s", strings.Join(p.where, ", "))
	case len(p.found) > 1:
		return nil, fail.New(fail.BadInput, "%s has %d containers: %s", p.shown, len(p.found), strings.Join(p.where, ", ")).
			WithHint("say which: --like %s:%s", p.shown, p.found[0].Container)
	}
	return p.found[0], nil
}

// keys are the entries of a mapping; none of what is missing.
func (r *reader) keys(n ast.Node) map[string]ast.Node {
	all := map[string]ast.Node{}
	if n == nil || n.Type() == ast.NullType {
		return all
	}
	for _, v := range mappingValues(n) {
		all[v.Key.GetToken().Value] = v.Value
	}
	if _, empty := n.(*ast.MappingNode); len(all) == 0 && !empty {
		r.say(nodePosition(n, Position{1, 1}), "", "want keys and values, found %s", kindOf(n))
	}
	return all
}

// items are the entries of a list; none of what is missing.
func (r *reader) items(n ast.Node) []ast.Node {
	if n == nil || n.Type() == ast.NullType {
		return nil
	}
	list, ok := n.(*ast.SequenceNode)
	if !ok {
		r.say(nodePosition(n, Position{1, 1}), "", "want a list, found %s", kindOf(n))
		return nil
	}
	return slices.DeleteFunc(slices.Clone(list.Values), func(n ast.Node) bool { return n == nil })
}

// word is a scalar as it is written; empty for what is missing.
func (r *reader) word(n ast.Node) string {
	if n == nil || n.Type() == ast.NullType {
		return ""
	}
	t, _ := r.text(n, "the value")
	return t.Value
}
