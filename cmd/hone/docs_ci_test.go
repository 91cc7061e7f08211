package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestFirstDayOfCI runs the commands of docs/ci.md that start with a fresh clone, as they stand there: the gate passes,
// the series begins with the last commits, and its page is written.
func TestFirstDayOfCI(t *testing.T) {
	text, err := os.ReadFile("../../docs/ci.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(text), "\n## From a fresh clone\n")
	_, block, _ := strings.Cut(section, "\n```\n")
	block, _, found := strings.Cut(block, "\n```\n")
	if n := strings.Count(block, "\nhone ") + strings.Count(block, "\ngit "); !found || n < 8 {
		t.Fatalf("%d commands in %q", n, block)
	}
	dir := t.TempDir()
	origin, bin := filepath.Join(dir, "origin"), filepath.Join(dir, "bin")
	if err := os.CopyFS(origin, os.DirFS(filepath.Join("testdata", "shop"))); err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(filepath.Join(origin, "cmd", "api")); err != nil { // it needs gRPC
		t.Fatal(err)
	}
	write(t, filepath.Join(origin, "go.mod"), "module example.com/shop\n\ngo 1.24\n")
	as := "-c user.name=r -c user.email=r@example.com"
	shell(t, origin, "git init -q -b main && git add . && git "+as+" commit -qm start && git "+as+
		" commit -q --allow-empty -m 'Nothing changes'")
	replaceIn(t, filepath.Join(origin, "shop.go"), "var names []string", "names := make([]string, 0, 8)")
	shell(t, origin, "git "+as+" commit -qam 'Allocate once'")
	if err := os.Mkdir(bin, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(honeBinary, filepath.Join(bin, "hone")); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	t.Setenv("GITHUB_EVENT_NAME", "")
	for name, value := range map[string]string{
		"GIT_CONFIG_COUNT":   "3",
		"GIT_CONFIG_KEY_0":   "url." + filepath.Dir(origin) + "/origin.insteadOf",
		"GIT_CONFIG_VALUE_0": "https://git.example.com/you/shop",
		"GIT_CONFIG_KEY_1":   "user.name", "GIT_CONFIG_VALUE_1": "r",
		"GIT_CONFIG_KEY_2": "user.email", "GIT_CONFIG_VALUE_2": "r@example.com",
	} {
		t.Setenv(name, value)
	}
	out := shell(t, dir, "set -e\n"+block)
	for _, want := range []string{"gates: 2 passed, 0 failed, 0 undecided", "the series of main begins with",
		"example.com/shop.Parse", "wrote site/index.html"} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	page := filepath.Join(dir, "shop", "site", "index.html")
	if text, err := os.ReadFile(page); err != nil || !strings.Contains(string(text), "shop") {
		t.Errorf("the page of the series: %v", err)
	}
	if out, err := exec.Command("git", "-C", origin, "rev-parse", "hone-series").CombinedOutput(); err != nil {
		t.Errorf("the series was not pushed: %s", out)
	}
}
