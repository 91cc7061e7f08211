package config

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/gohone/hone/internal/sys/cgroup"
	"github.com/gohone/hone/internal/text/fail"
)

// shop is a manifest as people have them: several objects, one of them of no interest and with what hone's reader of
// YAML refuses.
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
	if p.Workload != "Deployment shop" || p.Container != "app" ||
		p.Limits != (cgroup.Limits{CPUs: 0.5, Memory: 256 << 20}) ||
		p.Requests != (cgroup.Limits{CPUs: 0.25, Memory: 128 << 20}) {
		t.Errorf("%+v", p)
	}
	want := []string{"GOMAXPROCS=1", "GOMEMLIMIT=268435456", "MEM_MI=128", "MILLIS=250", "HOST=db",
		"DSN=postgres://db/shop?cost=$(5)&x=$(NONE)", "EMPTY="}
	if !slices.Equal(p.Env, want) {
		t.Errorf("env %q\nwant %q", p.Env, want)
	}
	notes := strings.Join(p.Notes, "\n")
	for _, part := range []string{"TOKEN comes from a secretKeyRef", "only the cluster knows: give it by --env",
		"POD comes from a fieldRef", "envFrom names ConfigMaps or Secrets"} {
		if !strings.Contains(notes, part) {
			t.Errorf("no note says %q:\n%s", part, notes)
		}
	}
}

// Every kind of workload is read, alone, in a List and as JSON.
func TestWorkloads(t *testing.T) {
	const pod = "{containers: [{name: app, resources: {limits: {cpu: 2, memory: 1G}}}]}"
	template := []string{"spec", "template"}
	for kind, keys := range map[string][]string{
		"Pod": nil, "Deployment": template, "StatefulSet": template, "DaemonSet": template, "ReplicaSet": template,
		"Job":     template,
		"CronJob": {"spec", "jobTemplate", "spec", "template"}, "ReplicationController": template,
		"PodTemplate": {"template"},
		// Custom resources with a template of pods: Argo Rollouts, Knative, KEDA, Agones, Kubeflow.
		"Rollout": template, "Service": template, "ScaledJob": {"spec", "jobTargetRef", "template"},
		"Fleet": {"spec", "template", "spec", "template"}, "MPIJob": {"spec", "mpiReplicaSpecs", "Worker", "template"},
	} {
		spec := pod
		for _, key := range slices.Backward(append(slices.Clone(keys), "spec")) {
			spec = "{" + key + ": " + spec + "}"
		}
		object := strings.Replace(spec, "{", "{kind: "+kind+", metadata: {name: x}, ", 1)
		for _, text := range []string{
			object, "kind: List\nitems:\n  - " + object + "\n", "---\n" + object + "\n---\n",
			"kind: " + kind + "List\nitems: [" + object + "]",
		} {
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

// A manifest is what its parser reads, in any layout: JSON in one line, with tabs, a stream of objects, YAML that is
// indented as a whole.
func TestLayoutsOfManifests(t *testing.T) {
	value := func(text string) any {
		var v any
		if err := json.Unmarshal([]byte(text), &v); err != nil {
			t.Fatal(err)
		}
		return v
	}
	pod := value(`{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"shop","managedFields":[{"f":{"a":[1]}}]},
		"spec":{"replicas":2,"template":{"spec":{"containers":[{"name":"app","resources":{"limits":{"cpu":"500m","memory":"128Mi"}},
		"env":[{"name":"A","value":"a\tb\u00fc"},{"name":"B","value":""}]}]}}}}`)
	other := value(`{"kind":"ConfigMap","data":{"x":"kind: Deployment\ncontainers: [","y":"{"}}`)
	list := map[string]any{"kind": "List", "items": []any{other, pod}}
	indented := func(v any, prefix, indent string) string {
		text, err := json.MarshalIndent(v, prefix, indent)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	yaml := "kind: Deployment\nmetadata: {name: shop}\nspec:\n  template:\n    spec:\n      containers:\n      - name: app\n" +
		"        resources: {limits: {cpu: 0.5, memory: 128Mi}}\n        env: [{name: A, value: \"a\\tb\u00fc\"}, {name: B}]\n"
	large := map[string]any{"kind": "List", "items": []any{value(`{"kind":"Secret","data":{"containers":"` +
		strings.Repeat("x", 200_000) + `"}}`), pod}}
	for name, text := range map[string]string{
		"one line": string(must(json.Marshal(pod))), "a list in one line": string(must(json.Marshal(list))),
		"tabs": indented(pod, "", "\t"), "indent 8": indented(pod, "", "        "), "indent 1": indented(list, "", " "),
		"a stream":       string(must(json.Marshal(other))) + "\n" + string(must(json.Marshal(pod))) + "\n",
		"an array":       indented([]any{other, pod}, "", "\t"),
		"documents":      "---\n" + indented(other, "", "\t") + "\n---\n" + indented(pod, "", "\t") + "\n",
		"200 kB of JSON": string(must(json.Marshal(large))),
		"YAML":           yaml, "YAML in a list": "items:\n- " + strings.ReplaceAll(yaml, "\n", "\n  ") +
			"\nkind: List\n",
		"YAML, indented":   "        " + strings.TrimRight(strings.ReplaceAll(yaml, "\n", "\n        "), " "),
		"YAML after JSON":  indented(other, "", "\t") + "\n---\n" + yaml,
		"lines of Windows": strings.ReplaceAll(indented(pod, "", "\t"), "\n", "\r\n"),
		"a kind in quotes": strings.Replace(yaml, "kind: Deployment", `"kind" : 'Deployment'`, 1),
	} {
		p, err := ReadPod("x", []byte(text), "")
		if err != nil || p.Workload != "Deployment shop" || p.Limits != (cgroup.Limits{CPUs: 0.5, Memory: 128 << 20}) ||
			!slices.Equal(p.Env, []string{"A=a\tb\u00fc", "B="}) {
			t.Errorf("%s: %+v, %v\n%.300s", name, p, err, text)
		}
	}
}

func must(text []byte, err error) []byte {
	if err != nil {
		panic(err)
	}
	return text
}

// Kubernetes takes limits from the container, from the LimitRange of the namespace, and from the whole pod.
func TestWhereLimitsComeFrom(t *testing.T) {
	const ranges = "kind: LimitRange\nmetadata: {name: small}\nspec:\n  limits:\n  - {type: Pod, max: {cpu: 9}}\n" +
		"  - {type: Container, default: {cpu: 300m}, defaultRequest: {cpu: 100m}, max: {cpu: 2, memory: 1Gi}}\n---\n"
	const other = "kind: LimitRange\nmetadata: {name: other, namespace: other}\nspec: {limits: [{type: Container, default: {cpu: 5}}]}\n---\n"
	pod := func(whole, app string) string {
		return "kind: Pod\nmetadata: {name: x}\nspec:\n  resources: {" + whole + "}\n  initContainers:\n" +
			"  - {name: proxy, restartPolicy: Always, resources: {limits: {cpu: 50m}}}\n  containers:\n  - name: app\n    resources: {" + app + "}\n"
	}
	for name, c := range map[string]struct {
		text, container string
		want            cgroup.Limits
		note            string
	}{
		"its own": {ranges + pod("limits: {cpu: 4}", "limits: {cpu: 1, memory: 2G}"), "",
			cgroup.Limits{CPUs: 1, Memory: 2e9}, ""},
		"of a range": {ranges + pod("", ""), "", cgroup.Limits{CPUs: 0.3, Memory: 1 << 30},
			"the defaults of LimitRange small"},
		"of both": {ranges + pod("", "limits: {cpu: 1}"), "", cgroup.Limits{CPUs: 1, Memory: 1 << 30},
			"the defaults of LimitRange small"},
		"another place": {other + pod("", "limits: {cpu: 1}"), "", cgroup.Limits{CPUs: 1}, "it has no memory limit"},
		"the whole pod": {pod("limits: {cpu: 4, memory: 1G}", ""), "", cgroup.Limits{CPUs: 4, Memory: 1e9}, ""},
		"one of the pod": {pod("limits: {cpu: 4, memory: 1G}", "limits: {cpu: 1}"), "",
			cgroup.Limits{CPUs: 1, Memory: 1e9}, ""},
		"shared": {pod("limits: {cpu: 4, memory: 1G}", "") + "  - {name: b}\n", "app",
			cgroup.Limits{CPUs: 4, Memory: 1e9},
			"those of the whole pod, which it shares with 1 more"},
		"a sidecar": {pod("", ""), "proxy", cgroup.Limits{CPUs: 0.05}, "it has no memory limit"},
	} {
		p, err := ReadPod("x", []byte(c.text), c.container)
		if err != nil || p.Limits != c.want || !strings.Contains(strings.Join(p.Notes, "\n"), c.note) ||
			c.note == "" && len(p.Notes) > 0 {
			t.Errorf("%s: %+v, %v, want %+v with a note %q", name, p, err, c.want, c.note)
		}
	}
}

// Variables that double with each entry are refused before they fill the memory.
func TestVariablesThatHoldEachOther(t *testing.T) {
	bomb := func(n int, value string) string {
		text := "kind: Pod\nspec:\n  containers:\n  - name: app\n    env:\n    - {name: A0, value: xxxxxxxxxxxxxxxx}\n"
		for i := range n {
			text += fmt.Sprintf("    - {name: A%d, value: %q}\n", i+1,
				strings.ReplaceAll(value, "A", fmt.Sprintf("A%d", i)))
		}
		return text
	}
	for name, c := range map[string]struct{ text, at string }{
		"twice":        {bomb(40, "$(A)$(A)"), "x.yaml:20:"},
		"many times":   {bomb(9, strings.Repeat("$(A)", 40)), "x.yaml:9:"},
		"many of them": {bomb(12, "$(A)$(A)") + strings.Repeat("    - {name: B, value: $(A12)}\n", 99), "x.yaml:32:"},
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := ReadPod("x.yaml", []byte(c.text), "")
		runtime.ReadMemStats(&after)
		if fail.KindOf(err) != fail.BadInput || !strings.HasPrefix(err.Error(), c.at) ||
			!strings.Contains(err.Error(), "too long") {
			t.Errorf("%s: %v, want a refusal at %s", name, err, c.at)
		}
		if used := after.TotalAlloc - before.TotalAlloc; used > mostMemory {
			t.Errorf("%s: %d MB were allocated", name, used>>20)
		}
	}
	if p, err := ReadPod("x.yaml", []byte(bomb(10, "$(A)$(A)")), ""); err != nil ||
		len(p.Env[10]) != len("A10=")+16<<10 {
		t.Errorf("16 kB: %v", err)
	}
}

// A chart of Helm is named for what it is, with the command that fills it in.
func TestTemplatesOfHelm(t *testing.T) {
	const head = "kind: Deployment\nmetadata:\n  name: "
	const tail = "\nspec:\n  template:\n    spec:\n      containers:\n      - name: app\n        resources: "
	for text, at := range map[string]string{
		head + "{{ .Values.name }}" + tail + "{}\n":                                            "x.yaml:3:9",
		head + "x" + tail + "\n          {{- toYaml .Values.resources | nindent 12 }}\n":       "x.yaml:10:11",
		head + "x" + tail + "{limits: {cpu: 1}}\n{{- if .Values.ingress }}\n---\n{{- end }}\n": "x.yaml:10:1",
		head + "x" + tail + "\n          limits:\n            cpu: \"{{ .Values.cpu }}\"\n":    "x.yaml:11:19",
		"{{- include \"chart.workload\" . }}\n":                                                "x.yaml:1:1",
	} {
		_, err := ReadPod("x.yaml", []byte(text), "")
		if err == nil || !strings.HasPrefix(err.Error(), at+": this is a template of Helm") ||
			!strings.Contains(fail.HintOf(err), "helm template CHART") {
			t.Errorf("%v (%s), want a template at %s\n%s", err, fail.HintOf(err), at, text)
		}
	}
	const text = head + "x" + tail + "{limits: {cpu: 1}}\n        args: [\"--format\", \"{{.ID}}\"]\n        env:\n        - name: F\n          value: '{{.ID}}'\n"
	if p, err := ReadPod("x.yaml", []byte(text), ""); err != nil || p.Env[0] != "F={{.ID}}" {
		t.Errorf("a manifest whose program takes a template: %v", err)
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
		{deployment("          resources:\n            limits: {cpu: half}\n"), "",
			`x.yaml:10:27: "half" is not a quantity`, "docs/box.md"},
		{deployment("          resources: [1]\n"), "", "x.yaml:9:22: want keys and values, found a list", ""},
		{deployment("          resources:\n            limits: {memory: 256m}\n"), "", "x.yaml:10", ""},
		{deployment("          env: {A: b}\n"), "", "x.yaml:9", ""},
		{deployment("          env:\n            - {value: b}\n"), "", `x.yaml:10:`, ""},
		{deployment("          env: *all\n"), "", "x.yaml:9:16: an alias (*) is not allowed", ""},
		{"kind: Deployment\nspec: {template: [\n", "", "x.yaml:", ""},
		{"kind: Deployment\nspec: {containers: [\n", "", "x.yaml:", ""},
		{"{\n\t\"kind\": \"Pod\",\n\t\"spec\": {\"containers\": [{\"name\": 1,]}}", "", "x.yaml:3:", ""},
		{`{"kind": "Pod", "spec": {"containers": [{"name": "a", "resources": {"limits": {"cpu": "half"}}}]}}`, "",
			`x.yaml:1:87: "half" is not`, ""},
		{`{"kind": "Pod", "containers": ` + strings.Repeat("[", 100), "", "x.yaml:1:96: nested over 64 levels deep",
			""},
		{`{"kind": "Pod", "containers": [` + strings.Repeat("1,", 200_000), "", "over 100000 values", ""},
		{"kind: ConfigMap\ndata: {containers: &a 1}\n", "", "x.yaml:2:20: an anchor", ""},
	} {
		_, err := ReadPod("x.yaml", []byte(c.text), c.container)
		if err == nil || fail.KindOf(err) != fail.BadInput || !strings.Contains(err.Error(), c.want) ||
			!strings.Contains(fail.HintOf(err), c.hint) {
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
	if _, err := OpenPod("nothing.yaml"); fail.KindOf(err) != fail.BadInput ||
		!strings.Contains(err.Error(), "nothing.yaml") {
		t.Error(err)
	}
}

// FuzzReadPod: whatever a manifest holds, it is refused with its name, or its values are sound.
func FuzzReadPod(f *testing.F) {
	f.Add([]byte(shop), "app")
	f.Add([]byte("kind: List\nitems: [{kind: Pod, spec: {containers: [{name: a, env: [{name: A, value: $(A)$$(B}]}]}}]"), "")
	f.Add([]byte(`{"kind":"LimitRange"}{"kind":"Pod","spec":{"containers":[{"resources":{"limits":{"cpu":1}}}]}}`), "")
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
