package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/gohone/hone/internal/view/mcpserver"
)

// matcher compiles its expression for each request.
const matcher = `package main

import (
	"flag"
	"log"
	"net/http"
	"regexp"
)

func match(path string) bool {
	return regexp.MustCompile("^/(items|users|orders)/([a-z]+|[0-9]+)$").MatchString(path)
}

func main() {
	addr := flag.String("addr", "127.0.0.1:0", "")
	flag.Parse()
	log.Fatal(http.ListenAndServe(*addr, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !match(r.URL.Path) {
			w.Write([]byte("no"))
			return
		}
		w.Write([]byte("yes"))
	})))
}
`

const matcherTest = `package main

import "testing"

func TestMatch(t *testing.T) {
	if !match("/items/7") {
		t.Error("/items/7 does not match")
	}
}
`

// agent is a client of a real hone mcp.
type agent struct {
	*testing.T
	session *mcp.ClientSession
}

// newAgent starts hone mcp in a folder.
func newAgent(t *testing.T, dir string) agent {
	t.Helper()
	server := exec.Command(honeBinary, "mcp", dir)
	server.Stderr = os.Stderr
	session, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil).Connect(t.Context(),
		&mcp.CommandTransport{Command: server}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = session.Close() })
	return agent{t, session}
}

// commit commits all files of a folder, which is a repository from then on.
func commit(t *testing.T, dir, subject string) {
	t.Helper()
	for _, args := range [][]string{{"init", "-q", "."}, {"add", "."}, {"commit", "-q", "-m", subject}} {
		git := exec.Command("git", append([]string{"-c", "user.name=d", "-c", "user.email=d@example.com"}, args...)...)
		git.Dir = dir
		if out, err := git.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
}

// ask calls a tool, says how long its answer was, and fails if that is beyond the budget.
func (a agent) ask(tool string, arguments any) (text string, f mcpserver.Facts, failed bool) {
	a.Helper()
	r, err := a.session.CallTool(a.Context(), &mcp.CallToolParams{Name: tool, Arguments: arguments})
	if err != nil {
		a.Fatalf("%s: %v", tool, err)
	}
	facts, err := json.Marshal(r.StructuredContent)
	if err == nil {
		err = json.Unmarshal(facts, &f)
	}
	if err != nil {
		a.Fatal(err)
	}
	text = r.Content[0].(*mcp.TextContent).Text
	a.Logf("%-9s %5d bytes of text, %4d of facts", tool, len(text), len(facts))
	if len(text) > 4000 || len(facts) > 3000 {
		a.Errorf("%s answers with %d and %d bytes", tool, len(text), len(facts))
	}
	if len(f.Next) == 0 {
		a.Errorf("%s does not say what to do next: %s", tool, text)
	}
	return text, f, r.IsError
}

// An agent goes once around the loop: it measures, finds, changes a line, compares and gets a verdict.
func TestAnAgentGoesAroundTheLoop(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, filepath.Join(dir, "go.mod"), "module example.com/matcher\n\ngo 1.24\n")
	if err := os.MkdirAll(filepath.Join(dir, "cmd/server"), 0o700); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "cmd/server/main.go"), matcher)
	commit(t, dir, "one")
	a := newAgent(t, dir)
	target := "http://127.0.0.1:{port}/items/bolt"
	args := []string{"-addr", "127.0.0.1:{port}"}

	text, run, failed := a.ask("run", map[string]any{"package": "./cmd/server", "target": target, "args": args,
		"duration": "1s", "wait_seconds": 120})
	if failed || run.ID == "" || run.ExitCode == nil || *run.ExitCode != 0 || run.Trusted == nil {
		t.Fatalf("%+v\n%s", run, text)
	}
	if text, _, failed = a.ask("findings", map[string]any{"run": run.ID}); failed ||
		!strings.Contains(text, "main.go:11 main.match: regexp.MustCompile runs for each call") {
		t.Errorf("no finding at the line that compiles:\n%s", text)
	}
	if text, _, failed = a.ask("top", map[string]any{"run": run.ID, "cum": true, "number": 10}); failed ||
		!strings.Contains(text, "places left out") {
		t.Errorf("top:\n%s", text)
	}
	text, _, failed = a.ask("list", map[string]any{"run": run.ID, "function": `main\.match`})
	if failed || !regexp.MustCompile(`[0-9] m?s +11 .*regexp.MustCompile`).MatchString(text) {
		t.Errorf("list:\n%s", text)
	}
	a.ask("tail", map[string]any{"run": run.ID}) // a short run may have no slow request

	changed := strings.Replace(matcher, "func match",
		"var form = regexp.MustCompile(\"^/(items|users|orders)/([a-z]+|[0-9]+)$\")\n\nfunc match", 1)
	changed = strings.Replace(changed, "return regexp.MustCompile(\"^/(items|users|orders)/([a-z]+|[0-9]+)$\")",
		"return form", 1)
	write(t, filepath.Join(dir, "cmd/server/main.go"), changed)
	text, verdict, failed := a.ask("compare", map[string]any{
		"package": "./cmd/server", "target": target, "args": args, "gate": []string{"cpu<-10%"}, "budget": "60s",
		"wait_seconds": 120,
	})
	if failed || verdict.ExitCode == nil || *verdict.ExitCode != 0 || len(verdict.Verdicts) != 1 ||
		!strings.Contains(verdict.Verdicts[0], "B is faster than A") ||
		len(verdict.Gates) != 1 || !strings.Contains(verdict.Gates[0], "passed") ||
		!strings.Contains(strings.Join(verdict.Answers, "\n"), "answers: same") {
		t.Fatalf("%+v\n%s", verdict, text)
	}

	// A judge is not to be fooled: an answer that is shorter, and so faster, is not a pass. It says why.
	write(t, filepath.Join(dir, "cmd/server/main.go"),
		strings.Replace(changed, "if !match(r.URL.Path) {", "if r.URL.Path != \"\" {", 1))
	text, cheat, _ := a.ask("compare", map[string]any{
		"package": "./cmd/server", "target": target, "args": args, "gate": []string{"cpu<-10%"}, "budget": "12s",
		"wait_seconds": 120,
	})
	if cheat.ExitCode == nil || *cheat.ExitCode != 4 || cheat.Trusted == nil || *cheat.Trusted ||
		!strings.Contains(strings.Join(cheat.Answers, " ")+text, "differ") ||
		cheat.Earlier != 1 || cheat.Same != 0 || !strings.Contains(text, "comparison 2 with this base") {
		t.Errorf("%+v\n%s", cheat, text)
	}

	text, _, failed = a.ask("report", map[string]any{"id": verdict.ID, "page": true})
	if page, _, _ := strings.Cut(strings.TrimPrefix(text, "page: "), "\n"); failed {
		t.Error(text)
	} else if _, err := os.Stat(filepath.Join(dir, page)); err != nil {
		t.Errorf("%q: %v", page, err)
	}
	if text, _, failed = a.ask("history", nil); failed || !strings.Contains(text, verdict.ID) {
		t.Errorf("%s is missing:\n%s", verdict.ID, text)
	}
	doc, err := a.session.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "hone://comparison/" + verdict.ID})
	if err != nil || !strings.Contains(doc.Contents[0].Text, `"hone.compare/2"`) {
		t.Error(err)
	}
	newest, err := a.session.ListResources(t.Context(), nil)
	if err != nil || len(newest.Resources) != 2+5 || newest.Resources[1].URI != "hone://comparison/"+verdict.ID {
		t.Errorf("%+v, %v", newest, err)
	}
	if _, err = a.session.ReadResource(t.Context(),
		&mcp.ReadResourceParams{URI: "hone://run/../../etc/passwd"}); err == nil {
		t.Error("a file elsewhere is a resource")
	}
	// hone.yaml is not executed without its user's trust.
	write(t, filepath.Join(dir, "hone.yaml"),
		"version: 1\nsubject:\n  package: ./cmd/server\n  prepare: touch executed\n")
	text, untrusted, failed := a.ask("run", map[string]any{"duration": "1s", "wait_seconds": 60})
	if !failed || untrusted.ExitCode == nil || *untrusted.ExitCode != 6 || !strings.Contains(text, "hone trust") {
		t.Errorf("%+v\n%s", untrusted, text)
	}
	if _, err := os.Stat(filepath.Join(dir, "executed")); err == nil {
		t.Error("a command of hone.yaml was executed")
	}
}

// An agent asks which commit made a benchmark allocate more, and the answer leads to the commit against the one before.
func TestAnAgentFindsACommit(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, filepath.Join(dir, ".gitignore"), ".hone\n")
	write(t, filepath.Join(dir, "go.mod"), "module example.com/joiner\n\ngo 1.24\n")
	write(t, filepath.Join(dir, "joiner_test.go"),
		"package joiner\n\nimport \"testing\"\n\nfunc BenchmarkJoin(b *testing.B) {\n\tfor range b.N {\n\t\tJoin(50)\n\t}\n}\n")
	const fast = "package joiner\n\nimport \"strings\"\n\nfunc Join(n int) string { return strings.Repeat(\"word \", n) }\n"
	const slow = "package joiner\n\nfunc Join(n int) (s string) {\n\tfor range n {\n\t\ts += \"word \"\n\t}\n\treturn s\n}\n"
	for _, c := range []struct{ subject, source string }{
		{"repeat", fast}, {"a constant", fast + "\nconst unused = 1\n"}, {"join word by word", slow},
		{"another constant", slow + "\nconst unused = 2\n"},
	} {
		write(t, filepath.Join(dir, "joiner.go"), c.source)
		commit(t, dir, c.subject)
	}
	a := newAgent(t, dir)
	text, f, failed := a.ask("bisect", map[string]any{"good": "HEAD~3", "package": ".", "bench": "Join",
		"measure": "allocs", "budget": "10s", "wait_seconds": 0})
	if failed || f.State != "running" {
		t.Fatalf("%+v\n%s", f, text)
	}
	text, f, failed = a.ask("status", map[string]any{"wait_seconds": 600})
	if failed || f.ExitCode == nil || *f.ExitCode != 0 || f.State != "complete" || len(f.Steps) != 1 || f.ID == "" {
		t.Fatalf("%+v\n%s", f, text)
	}
	step := f.Steps[0]
	if len(step.Commits) != 1 || step.Commits[0].Subject != "join word by word" || step.Measure != "allocs" ||
		step.Ratio <= 1 || !step.Confirmed ||
		!strings.Contains(strings.Join(step.Hunks, "\n"), `s += "word "`) ||
		!strings.Contains(step.Command, "hone bench") {
		t.Errorf("%+v", step)
	}
	for _, want := range []string{f.Verdicts[0], step.Commits[0].Short() + " join word by word  (d, ", `s += "word "`,
		"again: " + step.Command, "next: report id=" + step.Comparison} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in\n%s", want, text)
		}
	}
	if text, pair, failed := a.ask("report", map[string]any{"id": step.Comparison}); failed ||
		pair.ID != step.Comparison {
		t.Errorf("%+v\n%s", pair, text)
	}
	text, touched, failed := a.ask("reach", map[string]any{"package": "./...", "base": "HEAD~3", "wait_seconds": 600})
	if failed || !strings.Contains(text, "benchmarks execute 1 of them: joiner.Join (joiner.go:") ||
		len(touched.Next) != 1 || touched.Next[0] != "compare package=./PACKAGE bench=." {
		t.Errorf("%+v\n%s", touched, text)
	}
	if doc, err := a.session.ReadResource(t.Context(),
		&mcp.ReadResourceParams{URI: "hone://comparison/" + f.ID}); err != nil ||
		!strings.Contains(doc.Contents[0].Text, `"hone.bisect/1"`) {
		t.Errorf("%+v, %v", doc, err)
	}
}
