package config

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/gohone/hone/internal/text/fail"
)

// layOut writes files below a directory.
func layOut(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

const stdFlag = "package main\nimport (\"flag\"; \"net/http\")\nvar a = flag.%s\nfunc main() { http.ListenAndServe(*a, nil) }\n"

func TestDiscoverFindsServersFirst(t *testing.T) {
	dir := t.TempDir()
	layOut(t, dir, map[string]string{
		"go.mod":                  "module example.com/shop\n",
		"shop.go":                 "package shop\n",
		"cmd/aaa/main.go":         "package main\nfunc main() {}\n",
		"cmd/bbb/main.go":         "package main\nimport _ \"net\"\nfunc main() {}\n",
		"cmd/aclient/main.go":     "package main\nimport (\"flag\"; \"net/http\")\nvar a = flag.String(\"addr\", \"localhost:80\", \"\")\nfunc main() { http.Get(*a) }\n",
		"cmd/server/main.go":      "package main\nfunc main() {}\n",
		"cmd/server/flags.go":     fmt.Sprintf(stdFlag, `String("addr", ":8080", "where")`),
		"cmd/zcobra/main.go":      "package main\nimport (\"github.com/spf13/cobra\"; \"net\")\nvar l net.Listener\nfunc main() { c := &cobra.Command{}; var p int; c.Flags().IntVarP(&p, \"port\", \"p\", 80, \"\") }\n",
		"cmd/zport/main.go":       fmt.Sprintf(stdFlag, `String("http", "8080", "a port")`),
		"cmd/zport/socket.go":     "package main\nimport \"flag\"\nvar s = flag.String(\"socket\", \"\", \"\")\n",
		"cmd/unix/main.go":        fmt.Sprintf(stdFlag, `String("unix-socket", "/run/x", "")`),
		"cmd/server/routes.go":    "package main\nimport \"net/http\"\nfunc init() { http.HandleFunc(\"/healthz\", nil); http.HandleFunc(\"GET /up\", nil) }\n",
		"cmd/only_test/m_test.go": fmt.Sprintf(stdFlag, `String("addr", "", "")`),
		"cmd/ignored/main.go":     "//go:build ignore\n\npackage main\n",
		"cmd/broken/main.go":      "package main\nfunc (",
		"nested/go.mod":           "module example.com/other\n",
		"nested/main.go":          "package main\n",
		"testdata/x/main.go":      "package main\n",
		"vendor/x/main.go":        "package main\n",
		"_old/main.go":            "package main\n",
	})
	mains, err := Discover(dir)
	if err != nil {
		t.Fatal(err)
	}
	want := []Main{
		{Dir: "./cmd/server", Args: []string{"-addr", "127.0.0.1:{port}"}, Serves: true, Health: "/healthz",
			HTTP: true},
		{Dir: "./cmd/zport", Args: []string{"-http", "{port}"}, Serves: true, Socket: []string{"-socket", "{socket}"},
			HTTP: true},
		{Dir: "./cmd/unix", Serves: true, Socket: []string{"-unix-socket", "{socket}"}, HTTP: true},
		{Dir: "./cmd/aclient", Args: []string{"-addr", "127.0.0.1:{port}"}, Serves: true},
		{Dir: "./cmd/zcobra", Args: []string{"--port", "{port}"}, Serves: true},
		{Dir: "./cmd/bbb", Serves: true},
		{Dir: "./cmd/aaa"},
	}
	for i := range mains {
		mains[i].imports, mains[i].listens = false, false
	}
	if got, want := fmt.Sprint(mains), fmt.Sprint(want); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if _, err := Discover(filepath.Join(dir, "vendor", "..", "cmd",
		"ignored")); fail.ExitCode(err) != int(fail.BadInput) {
		t.Errorf("nothing there: %v", err)
	}
}

func git(t *testing.T, dir string, args ...string) {
	t.Helper()
	cmd := exec.Command("git", append([]string{"-c", "user.name=r", "-c", "user.email=r@example.com"}, args...)...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("git %q: %v\n%s", args, err, out)
	}
}

// The outside source for the default branch is git's own layout, in all its forms.
func TestDefaultBranchAsGitKeepsIt(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git here")
	}
	top := t.TempDir()
	repo := filepath.Join(top, "repo")
	layOut(t, repo, map[string]string{"svc/main.go": "package main\n"})
	want := func(dir, when string, want Branch) {
		t.Helper()
		if got := DefaultBranch(dir); got != want {
			t.Errorf("%s: %+v, want %+v", when, got, want)
		}
	}
	want(repo, "no repository", Branch{})
	git(t, repo, "init", "-q", "-b", "master")
	want(repo, "nothing committed", Branch{"", "."})
	git(t, repo, "add", ".")
	git(t, repo, "commit", "-qm", "start")
	want(filepath.Join(repo, "svc"), "in a directory", Branch{"master", "svc"})
	git(t, repo, "pack-refs", "--all")
	want(repo, "packed", Branch{"master", "."})
	git(t, repo, "worktree", "add", "-q", "-b", "feature", filepath.Join(top, "tree"))
	want(filepath.Join(top, "tree", "svc"), "in a worktree", Branch{"master", "svc"})
	git(t, repo, "branch", "develop")
	git(t, repo, "remote", "add", "origin", repo)
	git(t, repo, "symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/develop")
	want(repo, "as the remote says", Branch{"develop", "."})
}

func TestADraftIsAGoodFile(t *testing.T) {
	text := Draft([]Main{{Dir: "./cmd/server", Args: []string{"-addr", "127.0.0.1:{port}"}}, {Dir: "./cmd/batch"}},
		Branch{"main", "."})
	doc, err := Parse("hone.yaml", text)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	f := &File{Dir: "/srv", Document: *doc}
	for name, want := range map[string]string{
		"subject": "/srv/cmd/server [-addr 127.0.0.1:{port}]",
		"main":    "main:./cmd/server [-addr 127.0.0.1:{port}]",
	} {
		if v, err := f.Variant(name); err != nil || fmt.Sprint(v.Source, " ", v.Args) != want {
			t.Errorf("%s: %v %v, %v", name, v.Source, v.Args, err)
		}
	}
	if f.Baseline.Value != "main" || !strings.Contains(string(text), "# or: ./cmd/batch\n") {
		t.Errorf("%s", text)
	}
}

// What a draft says of sockets and health is what the keys mean, also where it is only a comment.
func TestDraftsOfServicesThatNeedSomething(t *testing.T) {
	text := string(Draft([]Main{{Dir: ".", Socket: []string{"-socket", "{socket}"}, Health: "/readyz"}}, Branch{}))
	doc, err := Parse("hone.yaml", []byte(text))
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	if s := doc.Subject; s.Target.Value != "unix:{socket}:/" || s.Ready.Value != "http:/readyz" ||
		fmt.Sprint(values(s.Args)) != "[-socket {socket}]" {
		t.Errorf("%s", text)
	}
	var lines []string
	for line := range strings.Lines(string(Draft([]Main{{Dir: "."}}, Branch{}))) {
		if rest, comment := strings.CutPrefix(line, "  # "); comment && !strings.HasPrefix(rest, "No ") {
			line = "  " + rest
		}
		lines = append(lines, line)
	}
	text = strings.Join(lines, "")
	if doc, err = Parse("hone.yaml", []byte(text)); err != nil {
		t.Fatalf("the comments are no good lines: %v\n%s", err, text)
	}
	if n := doc.Needs(""); len(n) != 1 || n[0].Ready == "" || len(doc.Subject.Copy) != 1 ||
		doc.Subject.AfterStart.Words == nil || doc.Subject.Ready.Value != "http:/healthz" {
		t.Errorf("%+v", doc.Subject)
	}
}

// A draft names a target that the program speaks: one of HTTP for an HTTP server, and none for a server of a protocol
// that is not known, which hone asks.
func TestDraftsNameATargetThatTheProgramSpeaks(t *testing.T) {
	for source, target := range map[string]string{
		`import ("flag"; "net/http"); func main() { http.ListenAndServe(*a, nil) }`:               "http://127.0.0.1:{port}/",
		`import ("flag"; "github.com/gin-gonic/gin"); func main() { gin.Default().Run(":8080") }`: "http://127.0.0.1:{port}/",
		`import ("flag"; "example.com/app/server"); func main() { server.Main(*a) }`:              "http://127.0.0.1:{port}/",
		`import ("flag"; "net"); func main() { net.Listen("tcp", *a) }`:                           "",
		`import ("flag"; "google.golang.org/grpc"; "net"); func main() { net.Listen("tcp", *a) }`: "",
	} {
		dir := t.TempDir()
		layOut(t, dir, map[string]string{"main.go": "package main\n" + source +
			"\nvar a = flag.String(\"addr\", \":8080\", \"\")\n"})
		mains, err := Discover(dir)
		if err != nil {
			t.Fatal(err)
		}
		text := Draft(mains, Branch{})
		doc, err := Parse("hone.yaml", text)
		if err != nil || doc.Subject.Target.Value != target {
			t.Errorf("%s: target %q, %v, want %q\n%s", source, doc.Subject.Target.Value, err, target, text)
		}
	}
}

// Whatever a directory or a branch is called, a draft means just that.
func TestADraftQuotesWhatItFinds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		word := rapid.OneOf(rapid.String(),
			rapid.StringOf(rapid.RuneFrom([]rune("a1: #'\"\\\n\t{}[],&*!|>%@`-\u202e\u0085"))))
		dir, other := "./"+word.Draw(t, "dir"), "./"+word.Draw(t, "other")
		branch := Branch{rapid.StringMatching(`[A-Za-z0-9_][A-Za-z0-9_.-]{0,8}`).Draw(t, "branch"), "."}
		if strings.Trim(branch.Name, ".") == "" || branch.Name == SubjectName {
			return
		}
		if strings.ContainsRune(dir+other, 0) {
			return
		}
		text := Draft([]Main{{Dir: dir}, {Dir: other}}, branch)
		doc, err := Parse("hone.yaml", text)
		if err != nil || doc.Subject.Package.Value != dir || doc.Baseline.Value != branch.Name ||
			len(doc.Variants) != 1 {
			t.Fatalf("%v, package %q, baseline %q\n%s", err, doc.Subject.Package, doc.Baseline, text)
		}
	})
}
