package track

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/gohone/hone/internal/store/series/chains"
)

func TestOwnersOfBenchmarks(t *testing.T) {
	root := t.TempDir()
	for name, text := range map[string]string{
		".github/CODEOWNERS": "* @all\n/internal/parse/ @parsers\n", "internal/parse/parse.go": "package parse\n",
	} {
		name = filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	owners := Owners(root)
	for benchmark, want := range map[string][]string{
		"example.com/app/internal/parse.Read/small.json": {"@parsers"},
		"gopkg.in/app.v3/internal/parse.Read":            {"@parsers"},
		"example.com/app.Root/x":                         {"@all"},
		"":                                               {"@all"},
	} {
		if got := owners(chains.Key{Name: benchmark}); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", benchmark, got, want)
		}
	}
	if got := owners(chains.Key{Subject: "example.com/app/internal/parse"}); !slices.Equal(got, []string{"@parsers"}) {
		t.Errorf("a service: %q", got)
	}
	if got := Owners(t.TempDir())(chains.Key{Name: "example.com/app.Root"}); got != nil {
		t.Errorf("without a file: %q", got)
	}
}
