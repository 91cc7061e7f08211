package config

import (
	"bytes"
	"os"
	"regexp"
	"strings"

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
		return nil, fail.New(fail.Or(fail.BadInput, err), "read manifest: %w",
			err).WithHint("--like FILE or FILE:CONTAINER names a Kubernetes manifest")
	}
	return ReadPod(path, content, container)
}

// ReadPod reads a manifest; shown is its name in messages. container may be empty if there is only one.
func ReadPod(shown string, content []byte, container string) (*Pod, error) {
	help := "hone reads resources and env of the containers of a manifest: docs/box.md"
	all := &podFile{faults: faults{shown: shown, help: help}, wanted: container}
	content = bytes.ReplaceAll(bytes.TrimPrefix(content, []byte("\ufeff")), []byte("\r\n"), []byte("\n"))
	for _, d := range documents(content) {
		all.document(d)
	}
	all.readContainers()
	if at, found := templateIn(content); found && (len(all.list) > 0 || len(all.names) == 0) {
		return nil, all.template(at)
	}
	if len(all.names) == 0 {
		all.list = append(all.list, all.other...)
	}
	if len(all.list) > 0 {
		return nil, all.err()
	}
	return all.chosen()
}

// podFile gathers the containers of a manifest.
type podFile struct {
	faults
	// other are faults of objects that are not a known workload: they count only if no container is found.
	other  []fault
	wanted string
	specs  []podSpec
	ranges []limitRange
	found  []*Pod   // the containers that may be meant
	names  []string // of all containers
	where  []string // the same with their workloads, without those that only start a pod
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
		return nil, fail.New(fail.BadInput, "%s has %d containers: %s", p.shown, len(p.found),
			strings.Join(p.where, ", ")).
			WithHint("say which: --like %s:%s", p.shown, p.found[0].Container)
	}
	return p.found[0], nil
}

// templateText is where a value, or a line, is an action of Go's templates, as in the files of a Helm chart.
var templateText = regexp.MustCompile(`(?m)^[ \t]*(?:- +)?(?:[^\s:#]+:[ \t]+)?["']?(\{\{)`)

// templateIn is the place of the first action of a template.
func templateIn(content []byte) (at Position, found bool) {
	m := templateText.FindSubmatchIndex(content)
	if m == nil {
		return Position{}, false
	}
	return place(content, m[2]), true
}

// template is the error for a file whose values helm has to fill in.
func (p *podFile) template(at Position) error {
	all := faults{shown: p.shown}
	all.say(at, "fill it in first: helm template CHART >pod.yaml, then --like pod.yaml; "+
		"for what runs now: helm get manifest RELEASE >pod.yaml",
		"this is a template of Helm ({{ }}): its values are not filled in")
	return all.err()
}
