// Package deploy tests the files in deploy/ against the schemas of what reads them, offline.
package deploy

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/compose-spec/compose-go/v2/loader"
	"github.com/compose-spec/compose-go/v2/types"
	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/yaml"
)

const dir = "../../deploy"

// read reads a file of deploy/.
func read(t *testing.T, name string) []byte {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

// Every document is of a kind that is known here, and has no field that Kubernetes does not know.
func TestKubernetes(t *testing.T) {
	var job batchv1.Job
	var nats appsv1.StatefulSet
	var service corev1.Service
	kinds := map[string]any{"Job": &job, "StatefulSet": &nats, "Service": &service}
	for _, name := range []string{"kubernetes/agents.yaml", "kubernetes/nats.yaml"} {
		for _, doc := range bytes.Split(read(t, name), []byte("\n---\n")) {
			var head struct {
				Kind string `json:"kind"`
			}
			if err := yaml.Unmarshal(doc, &head); err != nil || kinds[head.Kind] == nil {
				t.Fatalf("%s: kind %q: %v", name, head.Kind, err)
			}
			if err := yaml.UnmarshalStrict(doc, kinds[head.Kind]); err != nil {
				t.Errorf("%s: %v", name, err)
			}
			delete(kinds, head.Kind)
		}
	}
	if len(kinds) > 0 {
		t.Errorf("missing: %v", kinds)
	}
	if *job.Spec.CompletionMode != batchv1.IndexedCompletion || *job.Spec.Completions != *job.Spec.Parallelism {
		t.Error("the agents are no Indexed Job whose pods run together")
	}
	if nats.Spec.ServiceName != service.Name || !subset(service.Spec.Selector, nats.Spec.Template.Labels) ||
		!subset(nats.Spec.Selector.MatchLabels, nats.Spec.Template.Labels) {
		t.Error("the service does not find the brokers")
	}
	agent := job.Spec.Template.Spec.Containers[0]
	if !strings.Contains(strings.Join(agent.Args, " "), "nats://"+service.Name+":4222") {
		t.Errorf("the agents look for another broker: %v", agent.Args)
	}
	acceptsFlags(t, agent.Args)
	if id := job.Spec.Template.Spec.SecurityContext.RunAsUser; id == nil || *id != imageUser(t) {
		t.Errorf("the agents run as user %v, their image as %d", id, imageUser(t))
	}
	if name, _, _ := strings.Cut(agent.Image, ":"); name != imageName(t) {
		t.Errorf("the agents are of the image %q, which is published as %q", agent.Image, imageName(t))
	}
	confined(t, "agents", job.Spec.Template.Spec)
	confined(t, "brokers", nats.Spec.Template.Spec)
	narrow(t, agent.Args)
}

// imageName is the name that the image is published under, without a tag.
func imageName(t *testing.T) string {
	t.Helper()
	return found(t, "release/image.sh", `image=\$\{IMAGE:-([^}]+)\}`)
}

// imageUser is the user that the image runs as.
func imageUser(t *testing.T) int64 {
	t.Helper()
	user, err := strconv.ParseInt(found(t, "image/main.go", `const user = (\d+)`), 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return user
}

// found is what the group of a pattern matches in a file of tools/.
func found(t *testing.T, name, pattern string) string {
	t.Helper()
	match := regexp.MustCompile(pattern).FindSubmatch(read(t, filepath.Join("../tools", name)))
	if match == nil {
		t.Fatalf("%s does not match %s", name, pattern)
	}
	return string(match[1])
}

func subset(part, whole map[string]string) bool {
	for key, value := range part {
		if whole[key] != value {
			return false
		}
	}
	return len(part) > 0
}

// The kustomization names the files that are there.
func TestKustomization(t *testing.T) {
	var k struct {
		APIVersion         string   `json:"apiVersion"`
		Kind               string   `json:"kind"`
		Resources          []string `json:"resources"`
		ConfigMapGenerator []struct {
			Name  string   `json:"name"`
			Files []string `json:"files"`
		} `json:"configMapGenerator"`
	}
	if err := yaml.UnmarshalStrict(read(t, "kubernetes/kustomization.yaml"), &k); err != nil {
		t.Fatal(err)
	}
	for _, name := range append(k.Resources, k.ConfigMapGenerator[0].Files...) {
		read(t, "kubernetes/"+name)
	}
	if k.ConfigMapGenerator[0].Name != "hone-nats" {
		t.Errorf("the map %q is not the one that the brokers mount", k.ConfigMapGenerator[0].Name)
	}
}

// Compose reads its file, and the configuration inside is one that NATS reads.
func TestCompose(t *testing.T) {
	project, err := loader.LoadWithContext(t.Context(), types.ConfigDetails{
		WorkingDir: dir, ConfigFiles: []types.ConfigFile{{Filename: filepath.Join(dir, "compose.yaml")}},
		Environment: types.Mapping{"TRUST": "UABC", "TOKEN": "secret-token", "ALLOW": "172.20.0.9:8080"},
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(project.Services) != 4 {
		t.Errorf("%d services, want a broker and three agents", len(project.Services))
	}
	acceptsFlags(t, project.Services["agent1"].Command)
	if image := project.Services["agent1"].Image; image != imageName(t) {
		t.Errorf("the agents are of the image %q, which is published as %q", image, imageName(t))
	}
	for name, one := range project.Services {
		if one.User != "65532:65532" || !slices.Equal(one.CapDrop, []string{"ALL"}) ||
			!slices.Contains(one.SecurityOpt, "no-new-privileges:true") || one.MemLimit == 0 || one.PidsLimit == 0 {
			t.Errorf("%s is not confined: %+v", name, one)
		}
	}
	for _, missing := range []string{"TRUST", "ALLOW", "TOKEN"} { // none of them has a default
		environment := types.Mapping{"TRUST": "UABC", "TOKEN": "secret-token", "ALLOW": "172.20.0.9:8080"}
		delete(environment, missing)
		if _, err := loader.LoadWithContext(t.Context(), types.ConfigDetails{
			WorkingDir: dir, ConfigFiles: []types.ConfigFile{{Filename: filepath.Join(dir, "compose.yaml")}},
			Environment: environment,
		}); err == nil || !strings.Contains(err.Error(), missing) {
			t.Errorf("without %s: %v", missing, err)
		}
	}
}

// systemd accepts the unit.
func TestSystemd(t *testing.T) {
	const unit = "systemd/hone-agent.service"
	text := string(read(t, unit))
	_, line, _ := strings.Cut(text, "ExecStart=/usr/local/bin/hone ")
	line, _, _ = strings.Cut(line, "\n")
	acceptsFlags(t, strings.Fields(line))
	verify, err := exec.LookPath("systemd-analyze")
	if err != nil {
		t.Skip("systemd-analyze not found: the unit is not verified")
	}
	copied := filepath.Join(t.TempDir(), "hone-agent.service") // the program is not installed here
	if err := os.WriteFile(copied, []byte(strings.Replace(text, "/usr/local/bin/hone", "/bin/true", 1)),
		0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(verify, "verify", copied).CombinedOutput(); err != nil {
		if strings.Contains(string(out), "hone-agent.service") {
			t.Errorf("%v: %s", err, out)
		} else {
			t.Skipf("systemd-analyze does not work here: %s", out)
		}
	}
}

// agentHelp is what hone agent --help prints.
var agentHelp = sync.OnceValues(func() ([]byte, error) {
	return exec.Command("go", "run", "-C", "../../cmd/hone-agent", ".", "--help").Output()
})

// acceptsFlags wants that hone agent has all the flags of a command line.
func acceptsFlags(t *testing.T, args []string) {
	t.Helper()
	help, err := agentHelp()
	if err != nil {
		t.Fatal(err)
	}
	if len(args) < 5 || args[0] != "agent" {
		t.Fatalf("the command is %v", args)
	}
	for _, arg := range args {
		name, _, _ := strings.Cut(arg, "=")
		if strings.HasPrefix(name, "--") && !strings.Contains(string(help), " "+name+" ") {
			t.Errorf("hone agent has no flag %s", name)
		}
	}
}
