package config

import (
	"bytes"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/goccy/go-yaml/ast"
)

// workloads are the objects of Kubernetes itself that have pods: their faults are said. Others, such as custom
// resources with a template of pods, are read, too.
var workloads = []string{
	"Pod", "Deployment", "StatefulSet", "DaemonSet", "ReplicaSet", "Job", "CronJob", "List", limitRangeKind,
}

// kindOfDocument matches the kind of an object without parsing it; the one with the least before it is that of the
// whole.
var kindOfDocument = regexp.MustCompile(`(?m)(^[ \t]*|[{,]\s*)["']?kind["']?[ \t]*:[ \t]*["']?([A-Za-z]+)`)

// ofInterest says whether a document may have containers. Others, such as large ConfigMaps, are never parsed.
func ofInterest(text []byte) bool {
	return bytes.Contains(text, []byte("containers")) || isWorkload(text)
}

// isWorkload says whether a document is of a known workload, as far as that is known without parsing it.
func isWorkload(text []byte) bool {
	kind, least := "", len(text)
	for _, m := range kindOfDocument.FindAllSubmatch(text, -1) {
		if len(m[1]) < least {
			kind, least = string(m[2]), len(m[1])
		}
	}
	return slices.Contains(workloads, kind)
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
		if rest, ok := bytes.CutPrefix(text, []byte("---")); ok &&
			(len(rest) == 0 || bytes.ContainsAny(rest[:1], " \t\n")) {
			all = append(all, document{start, content[from:at]})
			from, start = end, line+1
		}
		at = end
	}
	return append(all, document{start, content[from:]})
}

// podSpec is what a workload says of its pods.
type podSpec struct {
	// Workload is its kind and name, Namespace where it is.
	Workload, Namespace string
	Spec                map[string]ast.Node
	line                int // of the file at which its document begins
}

// document reads the objects of one document: JSON, whatever its layout, or YAML.
func (p *podFile) document(d document) {
	if !ofInterest(d.text) {
		return
	}
	f := faults{shown: p.shown}
	bodies, broken := jsonObjects(d.text)
	if broken != nil {
		if body := f.manifest(d.text); body != nil {
			bodies = []ast.Node{body}
		} else if looksLikeJSON(d.text) {
			f.list = []fault{*broken}
		}
	}
	r := &reader{faults: &f}
	for _, body := range bodies {
		if len(f.list) == 0 {
			p.object(r, body, d.line)
		}
	}
	for _, one := range f.list {
		one.at.Line += d.line
		if isWorkload(d.text) {
			p.list = append(p.list, one)
		} else {
			p.other = append(p.other, one)
		}
	}
}

// manifest parses a document of YAML; nil if it is empty, or refused.
func (f *faults) manifest(text []byte) ast.Node {
	if len(text) > MaxBytes {
		f.say(Position{1, 1}, "keep the workload in a file of its own, or take it as JSON: kubectl get -o json",
			"the object is larger than %d kB", MaxBytes>>10)
		return nil
	}
	if f.checkText(text); len(f.list) > 0 {
		return nil
	}
	return f.body(text)
}

// object takes the pods of a workload, of those in a List, and the defaults of a LimitRange.
func (p *podFile) object(r *reader, n ast.Node, line int) {
	keys := r.keys(n)
	kind := r.word(keys["kind"])
	if items, isList := keys["items"].(*ast.SequenceNode); isList && (kind == "" || strings.HasSuffix(kind, "List")) {
		for _, item := range r.items(items) {
			p.object(r, item, line)
		}
		return
	}
	about := r.keys(keys["metadata"])
	name, namespace := r.word(about["name"]), r.word(about["namespace"])
	if kind == limitRangeKind {
		p.ranges = append(p.ranges, r.limitRange(keys["spec"], name, namespace))
		return
	}
	if spec := r.podSpec(keys, 0); spec != nil {
		p.specs = append(p.specs, podSpec{strings.TrimSpace(kind + " " + name), namespace, spec, line})
	}
}

// mostSteps is how many keys lead to the containers at most: the kinds with the longest way known, those of templates
// of workloads, have seven.
const mostSteps = 8

// podSpec finds the mapping that has the containers, also below the keys of a custom resource: a template of pods is a
// mapping in mappings. nil if there is none.
func (r *reader) podSpec(keys map[string]ast.Node, steps int) map[string]ast.Node {
	if list, ok := keys["containers"].(*ast.SequenceNode); ok && steps > 0 && len(list.Values) > 0 {
		if mappingValues(list.Values[0]) != nil {
			return keys
		}
	}
	if steps == mostSteps {
		return nil
	}
	for _, key := range slices.Sorted(maps.Keys(keys)) {
		below := keys[key]
		if key == "metadata" || key == "status" || mappingValues(below) == nil {
			continue
		}
		if found := r.podSpec(r.keys(below), steps+1); found != nil {
			return found
		}
	}
	return nil
}

// readContainers reads the containers of all pods that were found.
func (p *podFile) readContainers() {
	for _, spec := range p.specs {
		f := faults{shown: p.shown}
		r := &reader{faults: &f}
		regular := r.items(spec.Spec["containers"])
		for i, c := range slices.Concat(regular, r.items(spec.Spec["initContainers"])) {
			name := r.word(r.keys(c)["name"])
			p.names = append(p.names, name)
			if i < len(regular) {
				p.where = append(p.where, name+" ("+spec.Workload+")")
			}
			// One that only starts a pod, or a sidecar, is meant only by its name.
			if p.wanted == name || p.wanted == "" && i < len(regular) {
				p.found = append(p.found, r.container(c, spec, p.ranges, Pod{Workload: spec.Workload, Container: name}))
			}
		}
		for _, one := range f.list {
			one.at.Line += spec.line
			p.list = append(p.list, one)
		}
	}
}
