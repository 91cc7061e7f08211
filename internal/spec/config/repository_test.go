package config

import (
	"fmt"
	"path/filepath"
	"testing"
)

// Modules, workspace and benchmarks are those that the go command sees, and what it leaves out does not count.
func TestSurvey(t *testing.T) {
	const benchmark = "package x\n\nimport \"testing\"\n\nfunc BenchmarkX(b *testing.B) {}\n"
	const more = benchmark + "func BenchmarkY(b *testing.B) {}\nfunc Benchmarking() {}\n" +
		"func Benchmarks(b *testing.B) {}\n"
	dir := t.TempDir()
	layOut(t, dir, map[string]string{
		".git/refs/heads/main":  "0123456789\n",
		"go.mod":                "module example.com/x // go 1.1\n\ngo 1.26.1 // the language\n",
		"go.work":               "go 1.27\n\nuse . // here\nuse (\n\t\"./api\"\n\n\t// ./gone\n)\n",
		"x_test.go":             more,
		"windows_test.go":       "//go:build windows\n\n" + benchmark,
		"broken/x_test.go":      "package x\nfunc BenchmarkX(b *testing.B) {",
		"helper/x_test.go":      "package x\n\nfunc BenchmarkX(n int) {}\nfunc (t T) BenchmarkY(b *testing.B) {}\n",
		"vendor/v/x_test.go":    benchmark,
		"testdata/x_test.go":    benchmark,
		"_old/go.mod":           "module example.com/old\n",
		"_old/x_test.go":        benchmark,
		"api/go.mod":            "module example.com/x/api\n",
		"api/deep/x_test.go":    benchmark,
		"api/deep/er/x_test.go": benchmark,
		"tools/go.mod":          "module example.com/x/tools\n\ngo 1.20\n",
	})
	r, err := Survey(dir)
	if err != nil {
		t.Fatal(err)
	}
	want := "main . go.work 1.27 [{. go.mod 1.26.1 2 true} {api api/go.mod  2 true} {tools tools/go.mod 1.20 0 false}]"
	if got := fmt.Sprint(r.Branch, " ", r.Dir, " ", r.Workspace, " ", r.WorkspaceGo, " ", r.Modules); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	// Below, the module around it counts, with what lies there.
	if r, err = Survey(filepath.Join(dir, "api", "deep")); err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(r.Dir, r.Modules); got != "api/deep[{api/deep api/go.mod  2 false}]" {
		t.Errorf("below: %s", got)
	}
	// A workspace that git ignores is not there for others.
	layOut(t, dir, map[string]string{".gitignore": "/bin\ngo.work\n"})
	if r, err = Survey(dir); err != nil || r.Workspace != "" || r.Modules[0].Used {
		t.Errorf("%+v, %v", r, err)
	}
}
