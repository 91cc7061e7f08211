package config

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/google/jsonschema-go/jsonschema"
)

var update = flag.Bool("update", false, "rewrite docs/hone.schema.json")

func TestTheSchemaInDocsIsOfThisReader(t *testing.T) {
	got, err := schemaOfTypes()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join("..", "..", "..", "docs", "hone.schema.json")
	if *update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("%s is not what the types say (%v): go test ./internal/spec/config -update", path, err)
	}
}

func resolvedSchema(t *testing.T) *jsonschema.Resolved {
	t.Helper()
	text, err := schemaOfTypes()
	if err != nil {
		t.Fatal(err)
	}
	var s jsonschema.Schema
	if err := json.Unmarshal(text, &s); err != nil {
		t.Fatal(err)
	}
	resolved, err := s.Resolve(nil)
	if err != nil {
		t.Fatal(err)
	}
	return resolved
}

// What the reader accepts an editor does not underline, and most of what it refuses is.
func TestSchemaAndReaderAgree(t *testing.T) {
	schema := resolvedSchema(t)
	valid := func(text string) error {
		var value any
		if err := yaml.Unmarshal([]byte(text), &value); err != nil {
			return err
		}
		return schema.Validate(value)
	}
	full, err := os.ReadFile(filepath.Join("testdata", "full.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	if err := valid(string(full)); err != nil {
		t.Errorf("the schema refuses a good file: %v", err)
	}
	for _, name := range []string{"unknown key", "all faults at once", "a list", "no version", "no such version",
		"version as text", "null", "nothing in it", "list in a list", "target in a variant", "names"} {
		for _, c := range faulty {
			if c.name == name && valid(c.text) == nil {
				t.Errorf("the schema accepts %q: %s", name, c.text)
			}
		}
	}
}

func TestTheSchemaDescribesEveryKey(t *testing.T) {
	text, err := schemaOfTypes()
	if err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{"package", "args", "env", "toolchain", "flags", "prepare", "build", "after-start",
		"after-start-timeout", "ready", "ready-timeout", "needs", "copy", "command", "each", "target", "gates",
		"baseline", "features", "tags"} {
		if !strings.Contains(string(text), `"`+key+`": {`) {
			t.Errorf("no key %q", key)
		}
	}
}
