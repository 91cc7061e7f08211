package build

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gohone/hone/internal/testkit/moduletest"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/redact"
)

// A variant with an overlay is built from changed files and new ones, with and without the
// probe; the tree stays as it is, and source is not stored.
func TestOverlayOfAVariant(t *testing.T) {
	const changed, added = "package main\n\nimport \"fmt\"\n\nfunc main() { fmt.Println(word(), greeting) }\n",
		"package main\n\nconst greeting = \"two\"\n"
	dir := moduletest.WriteFiles(t, map[string]string{
		"go.mod": "module example.com/over\n", "main.go": "package main\n\nfunc main() { println(word()) }\n",
		"word.go": "package main\n\nfunc word() string { return \"number\" }\n",
	})
	v := Variant{Name: "B", Source: dir,
		Overlay: map[string]string{filepath.Join(dir, "main.go"): changed, filepath.Join(dir, "greeting.go"): added}}
	for _, bare := range []bool{false, true} {
		v.NoInject = bare
		b := mustBuild(t, v, dir, t.TempDir())
		if _, first := run(t, b.Path, ""); strings.TrimSpace(first) != "number two" {
			t.Errorf("without the probe %v: it says %q", bare, first)
		}
		if b.Probed == bare {
			t.Errorf("probed: %v", b.Probed)
		}
	}
	if text, err := os.ReadFile(filepath.Join(dir, "main.go")); err != nil ||
		strings.Contains(string(text), "greeting") {
		t.Errorf("the tree was changed: %q, %v", text, err)
	}
	doc, err := json.Marshal(v.Redacted(redact.Env{}))
	if err != nil || strings.Contains(string(doc), "Println") || !strings.Contains(string(doc), "sha256:") {
		t.Errorf("stored as %s, %v", doc, err)
	}
	if len(v.Overlay[filepath.Join(dir, "main.go")]) != len(changed) {
		t.Error("the variant itself was redacted")
	}
	v.BuildFlags = []string{"-overlay=x.json"}
	if _, err := Program(t.Context(), v, Options{OutDir: t.TempDir()}); fail.ExitCode(err) != int(fail.BadInput) ||
		fail.HintOf(err) == "" {
		t.Errorf("two overlays: %v", err)
	}
	v.BuildFlags, v.Overlay = nil, map[string]string{"main.go": changed}
	if _, err := Program(t.Context(), v, Options{OutDir: t.TempDir()}); fail.ExitCode(err) != int(fail.BadInput) {
		t.Errorf("a relative path: %v", err)
	}
}
