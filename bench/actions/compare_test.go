package actions

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// standIn puts testdata/hone in the place of hone. It ends with code and prints the Markdown of a real comparison.
func (j *job) standIn(code string) {
	j.t.Helper()
	j.env["STANDIN"] = filepath.Join(j.temp, "standin")
	j.install("hone", readFile(j.t, "testdata/hone"))
	j.write("standin/code", code)
	j.write("standin/markdown", readFile(j.t, "testdata/comment.md"))
	j.write("standin/document.json", readFile(j.t, "testdata/comparison.json"))
}

// calls are the command lines that the stand-in got, each word with a | behind it.
func (j *job) calls() []string {
	return strings.Split(strings.TrimSpace(j.read("standin/calls")), "\n")
}

func readFile(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// server are the files of a repository with one package.
var server = map[string]string{"go.mod": "module example.com/shop\n\ngo 1.26\n",
	"cmd/server/main.go": "package main\n\nfunc main() {}\n"}

// changed are the files of server that a pull request changes.
var changed = map[string]string{"cmd/server/main.go": "package main\n\nfunc main() { println() }\n"}

// Each exit code of hone ends the job as docs/ci.md says, and all of them leave a comment, a summary and the artefacts.
func TestExitCodes(t *testing.T) {
	c := newCheckout(t, server, changed)
	for _, is := range []struct {
		code, undecided, outcome string
		want                     int
		annotation               string
	}{
		{code: "0", outcome: "passed"},
		{code: "1", outcome: "regression", want: 1, annotation: "::error title=hone::regression"},
		{code: "8", outcome: "undecided", annotation: "::warning title=hone::undecided, which is not a pass"},
		{code: "8", undecided: "fail", outcome: "undecided", want: 8,
			annotation: "::error title=hone::undecided, which is not a pass"},
		{code: "4", outcome: "invalid", want: 4, annotation: "::error title=hone::invalid measurement"},
		{code: "3", outcome: "error", want: 3, annotation: "::error title=hone::hone ended with exit code 3"},
		{code: "70", outcome: "error", want: 70, annotation: "::error title=hone::hone ended with exit code 70"},
	} {
		t.Run(is.code+is.undecided, func(t *testing.T) {
			t.Parallel()
			j := newJob(t, c.dir, "pull_request", c.pullRequest())
			j.standIn(is.code)
			with := map[string]string{"package": "./cmd/server"}
			if is.undecided != "" {
				with["undecided"] = is.undecided
			}
			r := j.uses("compare", with)
			if r.code != is.want || is.want != 0 && r.failed != "Verdict" {
				t.Errorf("exit code %d in step %q, want %d\n%s", r.code, r.failed, is.want, r.log)
			}
			if r.outputs["outcome"] != is.outcome || r.outputs["code"] != is.code {
				t.Errorf("outputs: %v", r.outputs)
			}
			if !strings.Contains(r.log, is.annotation) {
				t.Errorf("the log has no %s:\n%s", is.annotation, r.log)
			}
			comment := readFile(t, "testdata/comment.md")
			if !strings.Contains(r.summary, comment) ||
				!strings.HasPrefix(r.summary, readFile(t, "testdata/picture.txt")) {
				t.Errorf("summary:\n%s", r.summary)
			}
			if got := string(j.uploads["hone-comment"]["comment.md"]); strings.TrimSpace(got) != strings.TrimSpace(comment) || len(j.uploads["hone-comment"]) != 1 {
				t.Errorf("artefact hone-comment: %d files\n%s", len(j.uploads["hone-comment"]), got)
			}
			for _, name := range []string{"comment.md", "compare.json", "ledger.tar.gz",
				"report-compare-ab12cd34.html"} {
				if len(j.uploads["hone"][name]) == 0 {
					t.Errorf("the artefact hone has no %s", name)
				}
			}
		})
	}
}

// The command lines are those that the inputs ask for. Nothing in an input is expanded or executed.
func TestInputsBecomeArguments(t *testing.T) {
	c := newCheckout(t, server, changed)
	j := newJob(t, c.dir, "pull_request", c.pullRequest())
	j.standIn("0")
	r := j.uses("compare", map[string]string{
		"package": "./cmd/server", "args": "-addr 127.0.0.1:{port} -name '$(touch pwned) *'",
		"target": "http://127.0.0.1:{port}/?a=1&b=`id`",
		"gates":  "cpu<+5%\nallocs<=0 'func(example.com/shop.(*Reader).Next)<+5%'\n", "budget": "120s",
		"flags": `-c 50 -H "Name: $HOME; id"`,
		"bench": "./... ./cmd/...", "bench-gates": "time<+10%", "bench-budget": "5m",
		"bench-flags": "--skip 'Disk|Net'",
	})
	if r.code != 0 {
		t.Fatalf("exit code %d\n%s", r.code, r.log)
	}
	base := short(c.base)
	for i, want := range []string{
		"compare|" + base + ":./cmd/server|./cmd/server|--ledger|LEDGER|--markdown|--target|http://127.0.0.1:{port}/?a=1&b=`id`|--budget|120s|" +
			"--gate|cpu<+5%|--gate|allocs<=0|--gate|func(example.com/shop.(*Reader).Next)<+5%|-c|50|-H|Name: $HOME; id|--|-addr|127.0.0.1:{port}|-name|$(touch pwned) *|",
		"show|ab12cd34|--ledger|LEDGER|--json|",
		"show|ab12cd34|--ledger|LEDGER|--receipt|FILE|",
		"bench|./...|./cmd/...|--vs|" + base + "|--ledger|LEDGER|--markdown|--budget|5m|--gate|time<+10%|--skip|Disk|Net|",
		"show|ab12cd34|--ledger|LEDGER|--json|",
		"show|ab12cd34|--ledger|LEDGER|--receipt|FILE|",
	} {
		calls := j.calls()
		words := strings.Split(calls[min(i, len(calls)-1)], "|")
		if at := slices.Index(words, "--ledger"); at > 0 {
			words[at+1] = "LEDGER"
		}
		if at := slices.Index(words, "--receipt"); at > 0 {
			words[at+1] = "FILE"
		}
		if got := strings.Join(words, "|"); got != want {
			t.Errorf("call %d\ngot  %s\nwant %s", i, got, want)
		}
	}
	if !strings.Contains(r.summary, "### hone bench\n") {
		t.Errorf("summary without benchmarks:\n%s", r.summary)
	}
	if status := git(t, c.dir, "status", "--porcelain"); status != "" {
		t.Errorf("the workspace changed: %s", status)
	}
}

// The base is what the pull request is merged into, also in a checkout without history, and where the head itself is
// checked out it is the commit that it began at.
func TestTheBase(t *testing.T) {
	whole, shallow, two := newCheckout(t, server, changed), newCheckout(t, server, changed, "--depth=1"),
		newCheckout(t, server, changed, "--depth=2")
	atHead := newCheckout(t, server, changed)
	git(t, atHead.dir, "checkout", "-q", "--detach", atHead.head)
	for name, is := range map[string]struct {
		c       checkout
		with    string
		want    string
		fetches bool
	}{
		"merge":         {c: whole, want: whole.base},
		"merge alone":   {c: shallow, want: shallow.base, fetches: true},
		"depth 2":       {c: two, want: two.base},
		"head":          {c: atHead, want: git(t, atHead.dir, "rev-parse", atHead.head+"~1")},
		"branch":        {c: whole, with: "topic", want: whole.head},
		"commit":        {c: whole, with: whole.head, want: whole.head},
		"not there yet": {c: newCheckout(t, server, changed, "--depth=1"), with: "topic", want: "any", fetches: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			j := newJob(t, is.c.dir, "pull_request", is.c.pullRequest())
			j.standIn("0")
			r := j.uses("compare", map[string]string{"package": "./cmd/server", "base": is.with})
			if r.code != 0 {
				t.Fatalf("exit code %d\n%s", r.code, r.log)
			}
			if is.want == "any" {
				is.want = is.c.head
			}
			if got := strings.TrimSpace(j.read("standin/vs")); got != is.want {
				t.Errorf("compared with %s, want %s\n%s", got, is.want, r.log)
			}
			if got := strings.Contains(r.log, "\nfetch ") || strings.HasPrefix(r.log, "fetch "); got != is.fetches {
				t.Errorf("fetched: %v\n%s", got, r.log)
			}
		})
	}
}

const honeYAML = `version: 1
subject: {package: ./cmd/server}
variants:
  main: {package: "main:./cmd/server"}
gates: ["cpu<+5%"]
baseline: main
`

// hone.yaml is trusted for the measurement, and no longer; main in it is the base. Its change is said.
func TestConfig(t *testing.T) {
	withConfig := map[string]string{"hone.yaml": honeYAML}
	for name, value := range server {
		withConfig[name] = value
	}
	same := newCheckout(t, withConfig, changed)
	other := newCheckout(t, withConfig, map[string]string{"hone.yaml": strings.Replace(honeYAML, "+5%", "+500%", 1)})
	const note = "this pull request may have changed its own gates"
	for name, is := range map[string]struct {
		c     checkout
		trust string
		want  int
		note  bool
	}{
		"unchanged":   {c: same},
		"changed":     {c: other, note: true},
		"not trusted": {c: same, trust: "false", want: 6},
	} {
		t.Run(name, func(t *testing.T) {
			j := newJob(t, is.c.dir, "pull_request", is.c.pullRequest())
			j.standIn("0")
			j.write("standin/wants-trust", "")
			with := map[string]string{}
			if is.trust != "" {
				with["trust"] = is.trust
			}
			r := j.uses("compare", with)
			if r.code != is.want {
				t.Fatalf("exit code %d, want %d\n%s", r.code, is.want, r.log)
			}
			if _, err := os.Stat(filepath.Join(j.temp, "standin/trusted")); !errors.Is(err, os.ErrNotExist) {
				t.Errorf("hone.yaml is trusted after the measurement: %v", err)
			}
			if is.want == 6 {
				if !strings.Contains(r.log, "::error title=hone::hone.yaml is not trusted") ||
					!strings.Contains(r.summary, "    hone: hone.yaml is not trusted") {
					t.Errorf("log:\n%s\nsummary:\n%s", r.log, r.summary)
				}
				return
			}
			if got := strings.TrimSpace(j.read("standin/main")); got != is.c.base {
				t.Errorf("main is %s, want %s\n%s", got, is.c.base, r.log)
			}
			if strings.Contains(r.summary, note) != is.note ||
				strings.Contains(string(j.uploads["hone-comment"]["comment.md"]), note) != is.note {
				t.Errorf("summary:\n%s", r.summary)
			}
		})
	}
}

// What cannot be measured is refused, with the reason and the next step.
func TestRefusals(t *testing.T) {
	c := newCheckout(t, server, changed)
	for name, is := range map[string]struct {
		event string
		env   map[string]string
		with  map[string]string
		none  bool // hone is not installed
		want  int
		says  string
	}{
		"Windows": {env: map[string]string{"RUNNER_OS": "Windows"}, want: 7,
			says: "this runner has Windows: use runs-on: ubuntu-latest"},
		"write token":   {event: "pull_request_target", want: 2, says: "use on: pull_request"},
		"second job":    {event: "workflow_run", want: 2, says: "use on: pull_request"},
		"comment":       {event: "issue_comment", want: 2, says: "use on: pull_request"},
		"no hone":       {none: true, want: 7, says: "use gohone/hone/actions/setup"},
		"nothing to do": {want: 2, says: "give the input package or bench, or write a hone.yaml"},
		"undecided":     {with: map[string]string{"undecided": "ignore"}, want: 2, says: `warn or fail, not "ignore"`},
		"trust":         {with: map[string]string{"trust": "yes"}, want: 2, says: `true or false, not "yes"`},
		"package":       {with: map[string]string{"package": "cmd/server"}, want: 2, says: "does not begin with ./"},
		"flag":          {with: map[string]string{"package": "--ledger"}, want: 2, says: "does not begin with ./"},
		"quote": {with: map[string]string{"package": "./cmd/server", "flags": "-H 'Name"}, want: 2,
			says: "a quote without its end"},
		"no base": {event: "schedule", with: map[string]string{"package": "./cmd/server"}, want: 2,
			says: "the event schedule has no base: give the input base"},
		"unknown base": {with: map[string]string{"package": "./cmd/server", "base": "--upload-pack=touch x"}, want: 2,
			says: "is not in this checkout"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			event := c.pullRequest()
			if is.event == "schedule" {
				event = map[string]any{}
			}
			if is.event == "" {
				is.event = "pull_request"
			}
			j := newJob(t, c.dir, is.event, event)
			if !is.none {
				j.standIn("0")
			}
			for key, value := range is.env {
				j.env[key] = value
			}
			r := j.uses("compare", is.with)
			if r.code != is.want || !strings.Contains(r.log, "::error title=hone::") ||
				!strings.Contains(r.log, is.says) {
				t.Errorf("exit code %d, want %d\n%s", r.code, is.want, r.log)
			}
			if len(j.uploads) > 0 {
				t.Errorf("uploads: %v", j.uploads)
			}
		})
	}
}

// Without a checkout the message says what is missing.
func TestNoRepository(t *testing.T) {
	j := newJob(t, t.TempDir(), "pull_request", map[string]any{})
	j.env["GIT_CEILING_DIRECTORIES"] = filepath.Dir(j.workspace)
	j.standIn("0")
	r := j.uses("compare", map[string]string{"package": "./cmd/server"})
	if r.code != 2 || !strings.Contains(r.log, "git finds no repository here") ||
		!strings.Contains(r.log, "fatal: not a git repository") {
		t.Errorf("exit code %d\n%s", r.code, r.log)
	}
}

// Without Markdown the comment has the end of hone's messages, and nothing in them is markup or a control character.
func TestMessagesInPlaceOfMarkdown(t *testing.T) {
	c := newCheckout(t, server, changed)
	j := newJob(t, c.dir, "pull_request", c.pullRequest())
	j.standIn("3")
	j.write("standin/markdown", "")
	j.write("standin/log", "build B\n```\n<!-- x -->\n\x1b[31mcmd/server/main.go:3:1: syntax error\xff\n"+
		strings.Repeat("x", 5000)+"\n")
	r := j.uses("compare", map[string]string{"package": "./cmd/server"})
	comment := string(j.uploads["hone-comment"]["comment.md"])
	head, messages, _ := strings.Cut(comment, "\n\n")
	if r.code != 3 ||
		head != "### hone compare: no result (exit 3: a variant or a benchmark does not build, start or stay up)" {
		t.Errorf("exit code %d: %s", r.code, head)
	}
	for line := range strings.Lines(strings.TrimRight(messages, "\n")) {
		if !strings.HasPrefix(line, "    ") || len(line) > 310 || strings.ContainsAny(line, "\x1b\r") {
			t.Errorf("%q", line)
		}
	}
	if !strings.Contains(messages, "    [31mcmd/server/main.go:3:1: syntax error\uFFFD\n") {
		t.Errorf("%q", messages)
	}
}

// Of two measurements the worse one counts.
func TestTheWorseCodeCounts(t *testing.T) {
	c := newCheckout(t, server, changed)
	for codes, want := range map[string]string{"0 8": "8", "8 1": "1", "4 1": "4", "1 3": "3"} {
		t.Run(codes, func(t *testing.T) {
			t.Parallel()
			j := newJob(t, c.dir, "pull_request", c.pullRequest())
			j.standIn("")
			first, second, _ := strings.Cut(codes, " ")
			j.write("standin/code-compare", first)
			j.write("standin/code-bench", second)
			r := j.uses("compare", map[string]string{"package": "./cmd/server", "bench": "./..."})
			if r.outputs["code"] != want {
				t.Errorf("code %s, want %s\n%s", r.outputs["code"], want, r.log)
			}
		})
	}
}

// A comment that GitHub would refuse for its length is not written.
func TestLongTables(t *testing.T) {
	c := newCheckout(t, server, changed)
	j := newJob(t, c.dir, "pull_request", c.pullRequest())
	j.standIn("0")
	long := strings.Repeat("| a long table |\n", 2400)
	j.write("standin/markdown", long)
	r := j.uses("compare", map[string]string{"package": "./cmd/server", "bench": "./..."})
	comment := string(j.uploads["hone-comment"]["comment.md"])
	if r.code != 0 || len(comment) > 62000 || !strings.Contains(comment, "too long for a comment") ||
		string(j.uploads["hone"]["bench.md"]) != long {
		t.Errorf("exit code %d, %d bytes\n%s", r.code, len(comment), r.log)
	}
}

// The ledger can be unpacked, and has no key in it.
func TestTheLedgerIsKept(t *testing.T) {
	c := newCheckout(t, server, changed)
	j := newJob(t, c.dir, "pull_request", c.pullRequest())
	j.standIn("0")
	j.uses("compare", map[string]string{"package": "./cmd/server", "artifact": "mine"})
	unzipped, err := gzip.NewReader(bytes.NewReader(j.uploads["mine"]["ledger.tar.gz"]))
	if err != nil {
		t.Fatal(err)
	}
	var files []string
	for archive := tar.NewReader(unzipped); ; {
		header, err := archive.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, header.Name)
	}
	slices.Sort(files)
	if got := strings.Join(files, " "); got != "ledger/ ledger/index ledger/reports/ ledger/reports/ab12cd34.html" {
		t.Errorf("ledger: %s", got)
	}
	if len(j.uploads["mine-comment"]) != 1 {
		t.Errorf("uploads: %v", j.uploads)
	}
}

// A receipt is signed where that is asked for: the signature is in the artefact, too. A job without an identity warns,
// and the comparison counts as it is.
func TestReceiptsAreSigned(t *testing.T) {
	c := newCheckout(t, server, changed)
	const receipt, signature = "receipt-compare.json", "receipt-compare.json.sigstore.json"
	for name, want := range map[string]struct {
		inputs          map[string]string
		refuses, signed bool
	}{
		"off by default": {inputs: map[string]string{}},
		"on":             {inputs: map[string]string{"sign": "true"}, signed: true},
		"no identity":    {inputs: map[string]string{"sign": "true"}, refuses: true},
	} {
		j := newJob(t, c.dir, "pull_request", c.pullRequest())
		j.standIn("0")
		j.write("standin/receipt.json", `{"receipt": {"tries": {"place": 1, "of": 2}}}`)
		if want.refuses {
			j.write("standin/refuses", "")
		}
		want.inputs["package"] = "./cmd/server"
		r := j.uses("compare", want.inputs)
		files := j.uploads["hone"]
		if r.code != 0 || files[receipt] == nil || (files[signature] != nil) != want.signed ||
			strings.Contains(r.log, "::warning::the receipt of hone compare is not signed: hone sign: this process has no identity") !=
				want.refuses || strings.Contains(string(files["comment.md"]), "signed by this job") != want.signed {
			t.Errorf("%s: exit code %d, files %v\n%s\n%s", name, r.code, slices.Sorted(maps.Keys(files)), files["comment.md"], r.log)
		}
	}
}

// A hone.yaml that cannot be read leaves a comment that says so.
func TestBrokenConfig(t *testing.T) {
	c := newCheckout(t, server, map[string]string{"hone.yaml": "version: one\n"})
	j := newJob(t, c.dir, "pull_request", c.pullRequest())
	j.standIn("2")
	j.write("standin/markdown", "")
	j.write("standin/log", "hone: hone.yaml:1:10: not a version\n")
	r := j.uses("compare", nil)
	if r.code != 2 || r.failed != "Verdict" || !strings.Contains(r.summary,
		"(exit 2: bad input)\n\n    measure together\n    hone: hone.yaml:1:10: not a version\n") {
		t.Errorf("exit code %d in step %q\n%s\n%s", r.code, r.failed, r.log, r.summary)
	}
}
