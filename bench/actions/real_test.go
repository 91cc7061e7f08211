package actions

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gohone/hone/bench/proc"
)

const serverCode = `package main

import (
	"flag"
	"net/http"
)

func main() {
	addr := flag.String("addr", "", "address")
	flag.Parse()
	panic(http.ListenAndServe(*addr, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		sum := 0
		for i := range 1000 {
			sum += i * i
		}
		w.Header().Set("X-Sum", string(rune('a'+sum%2)))
	})))
}
`

const serverYAML = `version: 1
subject:
  package: ./cmd/server
  args: [-addr, "127.0.0.1:{port}"]
  target: http://127.0.0.1:{port}/
plans:
  default: {connections: 4, budget: 60s, slice: 5ms, warmup: 20ms, block: 150ms, no-profile: true, no-trace: true, answers.volatile: true}
variants:
  main: {package: "main:./cmd/server"}
gates: ["cpu<+50%"]
baseline: main
`

// With hone itself: a pull request that makes the server many times slower is measured as its hone.yaml says, and
// stopped.
func TestWithHone(t *testing.T) {
	c := newCheckout(t,
		map[string]string{"go.mod": "module example.com/shop\n\ngo 1.26\n", "cmd/server/main.go": serverCode,
			"hone.yaml": serverYAML},
		map[string]string{"cmd/server/main.go": strings.Replace(serverCode, "range 1000", "range 1_000_000", 1)})
	j := newJob(t, c.dir, "pull_request", c.pullRequest())
	hone, err := proc.Hone(t.Context(), repository)
	if err == nil {
		err = os.Symlink(hone, filepath.Dir(j.write("programs/x", ""))+"/hone")
	}
	if err != nil {
		t.Fatal(err)
	}
	j.install("x", "")
	j.goCaches()
	r := j.uses("compare", nil)
	if r.outputs["outcome"] == "invalid" || r.outputs["outcome"] == "undecided" {
		t.Skipf("this machine is too busy to measure: %s", r.summary)
	}
	if r.code != 1 || r.outputs["outcome"] != "regression" || r.failed != "Verdict" {
		t.Fatalf("exit code %d in step %q, outputs %v\n%s", r.code, r.failed, r.outputs, r.log)
	}
	for _, want := range []string{
		"\nCPU per request", "slower", "### hone: ", "<code>cpu&#60;+50%</code>", "FAILED",
	} {
		if !strings.Contains(r.summary, want) {
			t.Errorf("the summary has no %q:\n%s", want, r.summary)
		}
	}
	if !strings.Contains(r.log, "branch main is "+short(c.base)) || !strings.Contains(r.log, "trusted: ") {
		t.Errorf("log:\n%s", r.log)
	}
	for name, content := range j.uploads["hone"] {
		if strings.HasPrefix(name, "report-compare-") && len(content) < 10_000 {
			t.Errorf("%s has %d bytes", name, len(content))
		}
	}

	// The comment is what hone wrote, whole.
	g := forked(t)
	written := string(j.uploads["hone-comment"]["comment.md"])
	g.artifacts["hone-comment"] = zipOf(t, "comment.md", written)
	if r := commentJob(t, g, ranFor("fork", 42)).uses("comment", nil); r.code != 0 || len(g.comments) != 1 ||
		!strings.HasSuffix(g.comments[0].Body, written) {
		t.Errorf("exit code %d\n%s\n%v\nwant\n%s", r.code, r.log, g.comments, written)
	}
	// The kept ledger is one.
	dir := t.TempDir()
	if err := exec.CommandContext(t.Context(), "tar", "-xzf",
		j.write("ledger.tar.gz", string(j.uploads["hone"]["ledger.tar.gz"])), "-C", dir).Run(); err != nil {
		t.Fatal(err)
	}
	_, id, _ := strings.Cut(written, "\nhone show ")
	id, _, _ = strings.Cut(id, " ") // and the ledger of the runner follows
	show := exec.CommandContext(t.Context(), filepath.Join(j.temp, "programs/hone"), "show", id, "--ledger",
		filepath.Join(dir, "ledger"), "--markdown")
	if out, err := show.CombinedOutput(); err != nil || !strings.Contains(string(out), "FAILED") {
		t.Errorf("hone show %s: %v\n%s", id, err, out)
	}
}
