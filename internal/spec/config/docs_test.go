package config

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The examples of the documentation are good files.
func TestDocsShowGoodFiles(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "..", "docs", "hone-yaml.md"))
	if err != nil {
		t.Fatal(err)
	}
	blocks := strings.Split(string(text), "```yaml\n")[1:]
	if len(blocks) < 4 {
		t.Fatalf("%d examples", len(blocks))
	}
	for _, block := range blocks {
		example, _, closed := strings.Cut(block, "\n```")
		if _, err := Parse("hone.yaml", []byte(example+"\n")); err != nil || !closed {
			t.Errorf("%v in\n%s", err, example)
		}
	}
}

// The documentation names every key of the format.
func TestDocsNameEveryKey(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "..", "docs", "hone-yaml.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{"version", "subject", "plans", "variants", "gates", "accepted", "baseline",
		"package", "args", "env", "toolchain", "flags", "prepare", "after-start", "after-start-timeout", "ready",
		"ready-timeout", "needs", "copy", "target"} {
		if !strings.Contains(string(text), "\n| `"+key+"` | ") {
			t.Errorf("no row for %s", key)
		}
	}
}
