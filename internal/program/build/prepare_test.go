package build

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gohone/hone/internal/program/source"
	"github.com/gohone/hone/internal/text/fail"
)

func TestPrepareRunsInTheModule(t *testing.T) {
	root := t.TempDir()
	pkg := filepath.Join(root, "cmd", "server")
	if err := os.MkdirAll(pkg, 0o700); err != nil {
		t.Fatal(err)
	}
	if got := ModuleRoot(pkg); got != pkg {
		t.Errorf("root without a go.mod: %s, want the directory itself", got)
	}
	if err := os.WriteFile(filepath.Join(root, "go.mod"), []byte("module example.com/x\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := ModuleRoot(pkg); got != root {
		t.Errorf("root %s, want %s", got, root)
	}
	env := append(os.Environ(), "WORD=a b")
	err := Prepare(t.Context(), []string{"sh", "-c", `printf '%s|%s' "$WORD" "$PWD" > made`}, root, env)
	if err != nil {
		t.Fatal(err)
	}
	made, err := os.ReadFile(filepath.Join(root, "made"))
	if err != nil || string(made) != "a b|"+root {
		t.Errorf("the command left %q, %v", made, err)
	}
}

func TestPrepareThatFailsShowsItsEnd(t *testing.T) {
	err := Prepare(t.Context(), []string{"sh", "-c", "seq 1 50; echo broken >&2; exit 7"}, t.TempDir(), nil)
	if fail.ExitCode(err) != int(fail.Subject) {
		t.Fatalf("error %v", err)
	}
	text := err.Error()
	for _, want := range []string{"exit status 7", "[31 lines before]\n32\n", "\n50\nbroken"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in %s", want, text)
		}
	}
	if strings.Contains(text, "\n31\n") || !strings.Contains(fail.HintOf(err), "(cd ") {
		t.Errorf("error %s\nhint %s", text, fail.HintOf(err))
	}
}

func TestPrepareWithoutTheCommand(t *testing.T) {
	for _, name := range []string{"hone-no-such-command", "./no-such-file"} {
		if err := Prepare(t.Context(), []string{name}, t.TempDir(), nil); fail.ExitCode(err) != int(fail.Environment) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestPrepareEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	dir := t.TempDir()
	done := make(chan error, 1) // the goroutine ends when the command does
	go func() {
		done <- Prepare(ctx, []string{"sh", "-c", "echo > begun; while :; do sleep 1; done"}, dir, nil)
	}()
	for end := time.Now().Add(time.Minute); ; time.Sleep(time.Millisecond) {
		if _, err := os.Stat(filepath.Join(dir, "begun")); err == nil {
			break
		}
		if time.Now().After(end) {
			t.Fatal("the command never began")
		}
	}
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want the context's", err)
	}
}

// preparedModule is a repository with a program whose text has to be generated.
func preparedModule(t *testing.T) string {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"go.mod":          "module example.com/p\n\ngo 1.21\n",
		"cmd/app/main.go": "package main\n\nfunc main() { println(text) }\n",
		".gitignore":      "cmd/app/text.go\n",
	} {
		path := filepath.Join(root, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700),
			os.WriteFile(path, []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	for _, args := range [][]string{{"init", "-q", "-b", "main"}, {"add", "."},
		{"-c", "user.name=r", "-c", "user.email=r@example.com", "commit", "-qm", "start"}} {
		plain := exec.Command("git", args...)
		plain.Dir = root
		if out, err := plain.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
	return root
}

func TestPreparedSourcesBuild(t *testing.T) {
	root := preparedModule(t)
	generate := []string{"sh", "-c", `echo x >> ran; echo 'package main; const text = "made"' > cmd/app/text.go`}
	variants := []Variant{
		{Name: "A", Source: "main:cmd/app", Prepare: generate},
		{Name: "B", Source: "./cmd/app", Prepare: generate},
		{Name: "C", Source: "./cmd/app", Prepare: generate, Env: []string{"GOGC=200"}},
	}
	o := source.Options{WorkDir: root, Worktrees: filepath.Join(t.TempDir(), "trees")}
	var said []string
	got, err := PrepareSources(t.Context(), variants, o,
		func(v Variant, _ string) { said = append(said, v.Name) })
	if err != nil {
		t.Fatal(err)
	}
	if ran, err := os.ReadFile(filepath.Join(root, "ran")); err != nil || string(ran) != "x\n" ||
		strings.Join(said, "") != "AB" {
		t.Errorf("in the work tree ran %q, %v; said %q", ran, err, said)
	}
	for _, v := range got {
		v.NoInject = true
		b, err := Program(t.Context(), v, Options{Source: o, OutDir: t.TempDir()})
		if err != nil {
			t.Fatalf("%s: %v", v.Name, err)
		}
		if b.Commit == "" || !b.Dirty {
			t.Errorf("%s: the commit is lost, or what was made is not told: %+v", v.Name, b)
		}
		p, err := b.Place(root, "", t.TempDir())
		if err != nil || (p.Root != "") != (v.Name == "A") {
			t.Fatalf("%s: %+v, %v", v.Name, p, err)
		}
		if _, err := os.Stat(filepath.Join(p.Dir, "ran")); err != nil {
			t.Errorf("%s runs without what was made for it: %v", v.Name, err)
		}
	}
	if variants[0].Source != "main:cmd/app" {
		t.Error("the caller's variants were changed")
	}
}

func TestVariantsOfOneDirectoryArePreparedAlike(t *testing.T) {
	root := preparedModule(t)
	variants := []Variant{{Name: "A", Source: "./cmd/app", Prepare: []string{"true"}}, {Name: "B", Source: "./cmd/app"}}
	_, err := PrepareSources(t.Context(), variants, source.Options{WorkDir: root}, nil)
	if fail.ExitCode(err) != int(fail.BadInput) || !strings.Contains(err.Error(), "variants A and B") {
		t.Errorf("error %v", err)
	}
	got, err := PrepareSources(t.Context(), make([]Variant, 2), source.Options{WorkDir: "/nowhere"}, nil)
	if err != nil || len(got) != 2 {
		t.Errorf("nothing to prepare: %v, %v", got, err)
	}
}
