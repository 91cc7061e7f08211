package build

import (
	"path/filepath"
	"testing"

	"github.com/gohone/hone/internal/testkit/moduletest"
)

// A commit that cannot matter to a program leaves it the same; one that may, does not.
func TestSameSource(t *testing.T) {
	r := moduletest.NewRepository(t)
	base := map[string]string{
		"go.mod": "module example.com/r\n\ngo 1.24\n",
		"cmd/x/main.go": "package main\n\nimport (\n\t_ \"embed\"\n\n\t\"example.com/r/used\"\n)\n\n//go:embed " +
			"page.html\nvar page string\n\nfunc main() { println(page, used.Word) }\n",
		"cmd/x/page.html": "page", "used/used.go": "package used\n\nconst Word = \"word\"\n",
		"other/other.go": "package other\n",
		"README.md":      "readme", "config.json": "{}",
	}
	first := r.Commit(base)
	out := t.TempDir()
	build := func(name, source string, more func(*Variant)) *Binary {
		v := Variant{Name: name, Source: source}
		if more != nil {
			more(&v)
		}
		return mustBuild(t, v, r.Dir, filepath.Join(out, name))
	}
	a := build("A", first+":./cmd/x", nil)
	for _, c := range []struct {
		name    string
		changed map[string]string
		more    func(*Variant)
		want    bool
	}{
		{"text, a test and another package", map[string]string{"README.md": "other",
			"used/used_test.go": "package used\n",
			"other/other.go":    "package other\n\nconst A = 1\n", ".github/x.yml": "a: 1"}, nil, true},
		{"a package that it imports", map[string]string{"used/used.go": "package used\n\nconst Word = \"other\"\n"},
			nil,
			false},
		{"a new file of it", map[string]string{"cmd/x/more.go": "package main\n"}, nil, false},
		{"what it embeds", map[string]string{"cmd/x/page.html": "other"}, nil, false},
		{"what it may read", map[string]string{"config.json": "{ }"}, nil, false},
		{"the settings that it may read", map[string]string{".env": "A=1\n"}, nil, false},
		{"the language", map[string]string{"go.mod": "module example.com/r\n\ngo 1.25\n"}, nil, false},
		{"other flags", map[string]string{"README.md": "flags"},
			func(v *Variant) { v.BuildFlags = []string{"-tags=x"} },
			false},
	} {
		t.Run(c.name, func(t *testing.T) {
			for name, text := range base {
				moduletest.WriteFile(t, filepath.Join(r.Dir, name), text)
			}
			r.Git("clean", "-fdq")
			for name, text := range c.changed {
				moduletest.WriteFile(t, filepath.Join(r.Dir, name), text)
			}
			now := build("B", "./cmd/x", c.more)
			if same, err := SameSource(t.Context(), r.Dir, a, now); same != c.want || err != nil {
				t.Errorf("the working tree: %t, %v, want %t", same, err, c.want)
			}
			if !c.want {
				return
			}
			then := build("C", r.Commit(nil)+":./cmd/x", c.more)
			if same, err := SameSource(t.Context(), r.Dir, a, then); !same || err != nil {
				t.Errorf("a commit: %t, %v", same, err)
			}
			r.Git("reset", "-q", "--hard", first)
		})
	}
	if same, err := SameSource(t.Context(), r.Dir, a, build("D", first+":./cmd/x", nil)); same || err != nil {
		t.Errorf("who compares a source with itself wants it measured: %t, %v", same, err)
	}
}
