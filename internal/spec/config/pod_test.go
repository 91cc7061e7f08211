package config

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gohone/hone/internal/sys/cgroup"
	"github.com/gohone/hone/internal/text/fail"
)

// shop is a manifest as people have them: several objects, one of them of no interest and with what hone's reader of YAML refuses.
const shop = `apiVersion: v1
kind: ConfigMap
metadata: {name: shop}
data:
  page: &anchor |
    ---- not the end of the document
---
# The service itself.
apiVersion: apps/v1
kind: Deployment
metadata:
  name: shop
spec:
  replicas: 3
  template:
    metadata: {labels: {app: shop}}
    spec:
      initContainers:
        - {name: migrate, image: shop}
      containers:
        - name: app
          image: shop:1
          resources:
            requests: {cpu: 250m, memory: 128Mi}
            limits:
              cpu: "0.5"
              memory: 256Mi
          env:
            - name: GOMAXPROCS
              valueFrom: {resourceFieldRef: {resource: limits.cpu}}
            - name: GOMEMLIMIT
              valueFrom:
                resourceFieldRef: {resource: limits.memory}
            - name: MEM_MI
              valueFrom: {resourceFieldRef: {resource: requests.memory, divisor: 1Mi}}
            - name: MILLIS
              valueFrom: {resourceFieldRef: {resource: requests.cpu, divisor: 1m}}
            - {name: HOST, value: db}
            - {name: DSN, value: "postgres://$(HOST)/shop?cost=$$(5)&x=$(NONE)"}
            - {name: EMPTY}
            - name: TOKEN
              valueFrom: {secretKeyRef: {name: shop, key: token}}
            - name: POD
              valueFrom: {fieldRef: {fieldPath: metadata.name}}
          envFrom:
            - configMapRef: {name: shop}
        - name: proxy
          image: envoy
`

func TestReadPod(t *testing.T) {
	p, err := ReadPod("shop.yaml", []byte(shop), "app")
	if err != nil {
		t.Fatal(err)
	}
	if p.Workload != "Deployment shop" || p.Container != "app" || p.Limits != (cgroup.Limits{CPUs: 0.5, Memory: 256 << 20}) || p.Requests != (cgroup.Limits{CPUs: 0.25, Memory: 128 << 20}) {
		t.Errorf("%+v", p)
	}
	want := []string{"GOMAXPROCS=1", "GOMEMLIMIT=268435456", "MEM_MI=128", "MILLIS=250", "HOST=db", "DSN=postgres://db/shop?cost=$(5)&x=$(NONE)", "EMPTY="}
	if !slices.Equal(p.Env, want) {
		t.Errorf("env %q\nwant %q", p.Env, want)
	}
	notes := strings.Join(p.Notes, "\n")
	for _, part := range []string{"TOKEN comes from a secretKeyRef", "only the cluster knows: give it by --env", "POD comes from a fieldRef", "envFrom names ConfigMaps or Secrets"} {
		if !strings.Contains(notes, part) {
			t.Errorf("no note says %q:\n%s", part, notes)
		}
	}
}

// Every kind of workload is read, alone, in a List and as JSON.
func TestWorkloads(t *testing.T) {
	const pod = "{containers: [{name: app, resources: {limits: {cpu: 2, memory: 1G}}}]}"
	for kind, keys := range workloads {
		spec := pod
		for _, key := range slices.Backward(append(slices.Clone(keys), "spec")) {
			spec = "{" + key + ": " + spec + "}"
		}
		object := strings.Replace(spec, "{", "{kind: "+kind+", metadata: {name: x}, ", 1)
		for _, text := range []string{object, "kind: List\nitems:\n  - " + object + "\n", "---\n" + object + "\n---\n"} {
			p, err := ReadPod("x.yaml", []byte(text), "")
			if err != nil || p.Limits != (cgroup.Limits{CPUs: 2, Memory: 1e9}) || p.Workload != kind+" x" {
				t.Errorf("%s: %+v, %v\n%s", kind, p, err, text)
			}
		}
	}
	const json = `{
    "apiVersion": "apps/v1",
    "kind": "Deployment",
    "spec": {"template": {"spec": {"containers": [{"name": "app", "resources": {"limits": {"cpu": "1500m"}}}]}}}
}`
	if p, err := ReadPod("x.json", []byte(json), ""); err != nil || p.Limits.CPUs != 1.5 || len(p.Notes) != 1 {
		t.Errorf("%+v, %v", p, err)
	}
}

func TestFaultyManifests(t *testing.T) {
	deployment := func(container string) string {
		return "kind: ConfigMap\n---\nkind: Deployment\nspec:\n  template:\n    spec:\n      containers:\n        - name: app\n" + container
	}
	for _, c := range []struct{ text, container, want, hint string }{
		{"kind: Service\n", "", "x.yaml has no containers", "Deployment, StatefulSet"},
		{shop, "", "x.yaml has 2 containers: app (Deployment shop), proxy (Deployment shop)", "--like x.yaml:app"},
		{shop, "ap", `x.yaml has no container "ap" (did you mean "app"?)`, "app (Deployment shop)"},
		{deployment("          resources:\n            limits: {cpu: half}\n"), "", `x.yaml:10:27: "half" is not a quantity`, "docs/box.md"},
		{deployment("          resources: [1]\n"), "", "x.yaml:9:22: want keys and values, found a list", ""},
		{deployment("          resources:\n            limits: {memory: 256m}\n"), "", "x.yaml:10", ""},
		{deployment("          env: {A: b}\n"), "", "x.yaml:9", ""},
		{deployment("          env:\n            - {value: b}\n"), "", `x.yaml:10:`, ""},
		{deployment("          env: *all\n"), "", "x.yaml:9:16: an alias (*) is not allowed", ""},
		{"kind: Deployment\nspec: {template: [\n", "", "x.yaml:", ""},
	} {
		_, err := ReadPod("x.yaml", []byte(c.text), c.container)
		if err == nil || fail.KindOf(err) != fail.BadInput || !strings.Contains(err.Error(), c.want) || !strings.Contains(fail.HintOf(err), c.hint) {
			t.Errorf("%v (%s)\nwant %q (%s)", err, fail.HintOf(err), c.want, c.hint)
		}
	}
}

// A word names a file, or a file and a container.
func TestOpenPod(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a:b.yaml")
	if err := os.WriteFile(file, []byte(shop), 0o600); err != nil {
		t.Fatal(err)
	}
	if p, err := OpenPod(file + ":proxy"); err != nil || p.Container != "proxy" || len(p.Notes) != 2 {
		t.Errorf("%+v, %v", p, err)
	}
	if _, err := OpenPod(file); err == nil || !strings.Contains(err.Error(), "has 2 containers") {
		t.Error(err)
	}
	if _, err := OpenPod("nothing.yaml"); fail.KindOf(err) != fail.BadInput || !strings.Contains(err.Error(), "nothing.yaml") {
		t.Error(err)
	}
}

// FuzzReadPod: whatever a manifest holds, it is refused with its name, or its values are sound.
func FuzzReadPod(f *testing.F) {
	f.Add([]byte(shop), "app")
	f.Add([]byte("kind: List\nitems: [{kind: Pod, spec: {containers: [{name: a, env: [{name: A, value: $(A)$$(B}]}]}}]"), "")
	f.Add([]byte("---\n---\nkind: CronJob\nspec: null\n--- x"), "")
	for _, c := range hostile {
		f.Add([]byte("kind: Pod\n"+c.text[:min(len(c.text), 300)]), "")
	}
	f.Fuzz(func(t *testing.T, text []byte, container string) {
		p, err := ReadPod("x.yaml", text, container)
		if err != nil {
			if fail.KindOf(err) != fail.BadInput || !strings.HasPrefix(err.Error(), "x.yaml") {
				t.Errorf("error %v", err)
			}
			return
		}
		if err := p.Limits.Validate(); err != nil {
			t.Errorf("limits %+v: %v", p.Limits, err)
		}
		for _, entry := range p.Env {
			if name, _, ok := strings.Cut(entry, "="); !ok || name == "" || strings.ContainsRune(entry, 0) {
				t.Errorf("entry %q", entry)
			}
		}
	})
}
