package build

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gohone/hone/internal/program/source"
	"github.com/gohone/hone/internal/text/fail"
)

// Where a build lacks what a command of the repository generates, the hint names the command.
func TestHintsForGeneratedCode(t *testing.T) {
	const undefined = "# example.com/x\npages.go:3:9: undefined: Asset\npages.go:4:9: undefined: Asset\n"
	const embed = "pages.go:5:12: pattern dist: no matching files found"
	makefile := "all: build\n\nVERSION := 1\n\nprereq:\n\tgo install x/go-bindata\n\n" +
		"quick: assets\n\tgo-bindata dist\n\tgo build\n\n"
	npm := makefile + "bundle:\n\tnpm run build\n"
	generate := "package x\n\n//go:generate go tool stringer -type=Kind\n"
	for name, c := range map[string]struct {
		files        map[string]string
		output, want string
	}{
		"a Makefile": {map[string]string{"Makefile": makefile}, undefined,
			"if Asset is generated: make -C ROOT quick; else "},
		"a target that generates": {map[string]string{"Makefile": npm}, embed,
			"if dist is generated: make -C ROOT bundle; else "},
		"both lack": {map[string]string{"Makefile": makefile}, undefined + "a.go:3:9: undefined: Map\n" + embed,
			"if Asset Map dist are generated: make -C ROOT quick; else "},
		"go generate": {map[string]string{"gen.go": generate, "Makefile": makefile},
			undefined, "if Asset is generated: (cd ROOT && go generate); else "},
		"a package of npm": {map[string]string{"package.json": `{"scripts": {"build": "vite build"}}`}, embed,
			"if dist is generated: (cd ROOT && npm install && npm run build); else "},
		"nothing generates":       {map[string]string{"Makefile": "build:\n\tgo build ./...\n"}, undefined, ""},
		"npm that builds nothing": {map[string]string{"package.json": `{"scripts": {"test": "jest"}}`}, embed, ""},
		"a fault of another kind": {map[string]string{"Makefile": makefile}, "pages.go:3:9: missing return\n", ""},
		"an installation only": {map[string]string{"Makefile": "tools:\n\tgo install x/protoc-gen-go\n"}, undefined,
			""},
		"a comment on go generate": {map[string]string{"a.go": "package x // see //go:generate x\n"}, undefined, ""},
	} {
		t.Run(name, func(t *testing.T) {
			root := t.TempDir()
			c.files["go.mod"] = "module example.com/x\n"
			for file, text := range c.files {
				if err := os.WriteFile(filepath.Join(root, file), []byte(text), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			if got := generatedHint(c.output, root); got != strings.ReplaceAll(c.want, "ROOT", root) {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}

// A build that fails says it with the command that shows all of it, and before that how to generate what it lacks.
func TestABuildThatLacksGeneratedCode(t *testing.T) {
	dir := t.TempDir()
	err := errors.Join(
		os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module example.com/x\n\ngo 1.24\n"), 0o644),
		os.WriteFile(filepath.Join(dir, "main.go"), []byte("package main\n\nfunc main() { println(Asset) }\n"), 0o644),
		os.WriteFile(filepath.Join(dir, "Makefile"), []byte("gen:\n\tgo generate ./...\n"), 0o644))
	if err != nil {
		t.Fatal(err)
	}
	options := Options{Source: source.Options{WorkDir: dir}, OutDir: t.TempDir()}
	_, err = Program(t.Context(), Variant{Name: "A", Source: "."}, options)
	hint := fail.HintOf(err)
	if want := "if Asset is generated: make -C " + dir +
		" gen; else run it alone: (cd "; !strings.HasPrefix(hint, want) {
		t.Errorf("%v: %q, want %q", err, hint, want)
	}
}

func FuzzGeneratingTarget(f *testing.F) {
	f.Add("gen: a b\n\tgo generate ./...\n")
	f.Fuzz(func(t *testing.T, makefile string) {
		target := generatingTarget(makefile)
		if !strings.Contains(makefile, target) || strings.ContainsAny(target, " \n;") {
			t.Errorf("%q: %q", makefile, target)
		}
	})
}
