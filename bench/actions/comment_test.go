package actions

import (
	"archive/zip"
	"bytes"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

const measuredSHA = "0123456789abcdef0123456789abcdef01234567"

// ranFor is the event of the second workflow, after a run for a pull request of the branch topic of a fork.
func ranFor(owner string, repository int) map[string]any {
	return map[string]any{"workflow_run": map[string]any{
		"id": 900, "event": "pull_request", "head_sha": measuredSHA, "head_branch": "topic & more",
		"html_url":        "https://github.example/acme/shop/actions/runs/900",
		"head_repository": map[string]any{"id": repository, "owner": map[string]any{"login": owner}},
		"pull_requests":   []any{},
	}}
}

// forked is a server with pull request 5 of a fork, and others that are not meant.
func forked(t *testing.T) *github {
	g := newGitHub(t)
	add := func(number int, label, sha string, repository int) {
		p := pull{Number: number, Head: pullEnd{Label: label, SHA: sha}}
		p.Head.Repo.ID = repository
		g.pulls = append(g.pulls, p)
	}
	add(3, "fork:other", measuredSHA, 42)
	add(4, "acme:topic & more", measuredSHA, 1)
	add(5, "fork:topic & more", measuredSHA, 42)
	return g
}

// commentJob is a job of the second workflow.
func commentJob(t *testing.T, g *github, event any) *job {
	j := newJob(t, t.TempDir(), "workflow_run", event)
	j.env["GITHUB_API_URL"] = g.server.URL
	return j
}

// A pull request of a fork: the job that measures has nothing that may write. The second one makes the comment, and
// updates it after the next run. Comments of others stay, also with the same marker.
func TestOneCommentInPlace(t *testing.T) {
	c := newCheckout(t, server, changed)
	measure := newJob(t, c.dir, "pull_request", c.pullRequest())
	measure.env["GITHUB_API_URL"] = "http://127.0.0.1:1" // nothing listens there
	measure.standIn("1")
	if r := measure.uses("compare", map[string]string{"package": "./cmd/server"}); r.code != 1 {
		t.Fatalf("exit code %d\n%s", r.code, r.log)
	}
	for _, name := range []string{"compare", "setup"} {
		if found := regexp.MustCompile(`\$\{\{[^}]*(token|secrets)[^}]*`).FindString(readFile(t,
			"../../actions/"+name+"/action.yml")); found != "" {
			t.Errorf("%s, which measures, takes a token: %s", name, found)
		}
	}

	g := forked(t)
	for range 120 { // so that there are two pages
		g.add("mallory", "<!-- hone comment: hone -->\nnot hone's")
	}
	g.artifacts["hone-comment"] = zipOf(t, "comment.md", string(measure.uploads["hone-comment"]["comment.md"]))
	r := commentJob(t, g, ranFor("fork", 42)).uses("comment", nil)
	if r.code != 0 || len(g.comments) != 121 || r.outputs["url"] != g.comments[120].HTMLURL {
		t.Fatalf("exit code %d, %d comments, %v\n%s", r.code, len(g.comments), r.outputs, r.log)
	}
	first := g.comments[120].Body
	for _, want := range []string{"<!-- hone comment: hone -->\n<sub>Measured at 0123456789ab by [this run](https://github.example/acme/shop/actions/runs/900)", readFile(t, "testdata/comment.md")} {
		if !strings.Contains(first, want) {
			t.Errorf("the comment has no %s:\n%s", want, first)
		}
	}

	g.add("ann", "thanks")
	g.artifacts["hone-comment"] = zipOf(t, "comment.md", "### better now\n")
	if r := commentJob(t, g, ranFor("fork", 42)).uses("comment", nil); r.code != 0 {
		t.Fatalf("exit code %d\n%s", r.code, r.log)
	}
	second := g.comments[120].Body
	if len(g.comments) != 122 || !strings.HasSuffix(second, "### better now\n") ||
		strings.Contains(second, "A against itself") {
		t.Errorf("%d comments\n%s", len(g.comments), second)
	}
	// Another key is another comment.
	if r := commentJob(t, g, ranFor("fork", 42)).uses("comment", map[string]string{"key": "bench"}); r.code != 0 ||
		len(g.comments) != 123 {
		t.Errorf("exit code %d, %d comments\n%s", r.code, len(g.comments), r.log)
	}
}

// Without one open pull request whose head was measured there is no comment.
func TestNoPullRequest(t *testing.T) {
	for name, is := range map[string]struct {
		event func() map[string]any
		says  string
	}{
		"another repository": {func() map[string]any { return ranFor("fork", 43) },
			"no open pull request has the head"},
		"newer commits": {func() map[string]any {
			e := ranFor("fork", 42)
			e["workflow_run"].(map[string]any)["head_sha"] = strings.Repeat("f", 40)
			return e
		}, "no open pull request has the head"},
		"a push": {func() map[string]any {
			e := ranFor("fork", 42)
			e["workflow_run"].(map[string]any)["event"] = "push"
			return e
		}, "not for a pull request"},
		"deleted fork": {func() map[string]any {
			e := ranFor("fork", 42)
			e["workflow_run"].(map[string]any)["head_repository"] = nil
			return e
		}, "the fork may be deleted"},
		"two": {func() map[string]any { return ranFor("twice", 44) }, "several pull requests (8 9)"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := forked(t)
			for _, number := range []int{8, 9} {
				p := pull{Number: number, Head: pullEnd{Label: "twice:topic & more", SHA: measuredSHA}}
				p.Head.Repo.ID = 44
				g.pulls = append(g.pulls, p)
			}
			g.artifacts["hone-comment"] = zipOf(t, "comment.md", "text")
			r := commentJob(t, g, is.event()).uses("comment", nil)
			if r.code != 0 || len(g.writes) > 0 || !strings.Contains(r.log, "::notice title=hone::no comment: ") ||
				!strings.Contains(r.log, is.says) {
				t.Errorf("exit code %d, %v\n%s", r.code, g.writes, r.log)
			}
		})
	}
}

// An artefact that a stranger made is refused if it is not one short text, and leaves no file.
func TestHostileArtefacts(t *testing.T) {
	for name, is := range map[string]struct {
		zip    []byte
		listed int
		says   string
	}{
		"too big in the list": {zip: zipOf(t, "comment.md", "text"), listed: 1 << 20, says: "too big for a comment"},
		"too big to download": {zip: bytes.Repeat([]byte("x"), 1<<20), listed: 100, says: "too big"},
		"zip bomb": {zip: zipOf(t, "comment.md", strings.Repeat("0", 50<<20)),
			says: "more than 65000 bytes"},
		"no zip": {zip: []byte("comment"), says: "no zip file"},
		"empty":  {zip: zipOf(t, "comment.md", ""), says: "comment.md is empty"},
		"path traversal": {zip: zipOf(t, "../../../../tmp/comment.md", "text"),
			says: "does not hold comment.md alone"},
		"absolute path": {zip: zipOf(t, "/tmp/hone-actions-absolute", "text"),
			says: "does not hold comment.md alone"},
		"another beside": {zip: zipOf(t, "comment.md", "text", "../evil", "text"),
			says: "does not hold comment.md alone"},
		"twice": {zip: zipOf(t, "comment.md", "text", "comment.md", "text"),
			says: "does not hold comment.md alone"},
		"binary":           {zip: zipOf(t, "comment.md", "text\x00text"), says: "control characters"},
		"escape sequences": {zip: zipOf(t, "comment.md", "text\x1b[31m"), says: "control characters"},
		"not UTF-8":        {zip: zipOf(t, "comment.md", "text\xff"), says: "no text in UTF-8"},
		"encrypted": {zip: zipAs(t, &zip.FileHeader{Name: "comment.md", Flags: 1}, "text"),
			says: "comment.md is empty or cannot be read"},
		"many names": {zip: zipOf(t, manyNames()...), says: "the artefact"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := forked(t)
			g.artifacts["hone-comment"] = is.zip
			if is.listed > 0 {
				g.listed["hone-comment"] = is.listed
			} else if len(is.zip) > 65000 {
				g.listed["hone-comment"] = 100
			}
			j := commentJob(t, g, ranFor("fork", 42))
			r := j.uses("comment", nil)
			if r.code != 4 || r.failed != "Get the Markdown" || !strings.Contains(r.log, is.says) || len(g.writes) > 0 {
				t.Errorf("exit code %d in step %q, %v\n%s", r.code, r.failed, g.writes, r.log)
			}
			err := filepath.WalkDir(filepath.Dir(j.temp), func(path string, d fs.DirEntry, err error) error {
				if err != nil {
					return err
				}
				info, err := d.Info()
				if err == nil && (d.Name() == "evil" || d.Name() == "comment.md" || info.Size() > 200_000) {
					t.Errorf("left %s, %d bytes", path, info.Size())
				}
				return err
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
	if _, err := os.Stat("/tmp/hone-actions-absolute"); err == nil {
		t.Error("a file was written to an absolute path")
	}
}

func manyNames() []string {
	var files []string
	for range 1000 {
		files = append(files, "comment.md", "")
	}
	return files
}

// zipAs makes a zip file of one entry, whose header is taken as it is.
func zipAs(t *testing.T, header *zip.FileHeader, text string) []byte {
	t.Helper()
	header.CRC32 = crc32.ChecksumIEEE([]byte(text))
	header.CompressedSize64, header.UncompressedSize64 = uint64(len(text)), uint64(len(text))
	var b bytes.Buffer
	archive := zip.NewWriter(&b)
	w, err := archive.CreateRaw(header)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(w, text); err != nil {
		t.Fatal(err)
	}
	if err := archive.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// A symbolic link in the zip is text like any other.
func TestLinkInTheArtefact(t *testing.T) {
	header := &zip.FileHeader{Name: "comment.md"}
	header.SetMode(fs.ModeSymlink | 0o777)
	g := forked(t)
	g.artifacts["hone-comment"] = zipAs(t, header, "/etc/passwd")
	r := commentJob(t, g, ranFor("fork", 42)).uses("comment", nil)
	if r.code != 0 || len(g.comments) != 1 || !strings.HasSuffix(g.comments[0].Body, "</sub>\n\n/etc/passwd") {
		t.Errorf("exit code %d, %v\n%s", r.code, g.comments, r.log)
	}
}

// What would act under the name of the account is defused; what hone writes passes.
func TestMarkupIsDefused(t *testing.T) {
	hostile := [][2]string{
		{"<!-- hone comment: other -->", "&lt;!-- hone comment: other -->"},
		{"<details><summary>More</summary>\n\n</details>", "<details><summary>More</summary>\n\n</details>"},
		{"<details open onclick=x>", "&lt;details open onclick=x>"},
		{"<img src=x> <a\nhref='y'>z</a> <!DOCTYPE", "&lt;img src=x> &lt;a\nhref='y'>z&lt;/a> &lt;!DOCTYPE"},
		{"@acme/everyone", "@\u200bacme/everyone"},
		{"[a](b) ![c](d) [e][f]\n[f]: g", "[a]&#40;b) !&#91;c]&#40;d) [e]&#91;f]\n[f]&#58; g"},
		{"cpu<+5% 3 < 4\r\n::error::x", "cpu<+5% 3 < 4\n::error::x"},
		{"a <script", "a &lt;script"},
	}
	var in, want []string
	for _, is := range hostile {
		in, want = append(in, is[0]), append(want, is[1])
	}
	own := readFile(t, "testdata/comment.md")
	for name, is := range map[string]struct{ in, want string }{
		"hostile":    {strings.Join(in, "\n"), strings.Join(want, "\n")},
		"hone's own": {own, own},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := forked(t)
			g.artifacts["hone-comment"] = zipOf(t, "comment.md", is.in)
			r := commentJob(t, g, ranFor("fork", 42)).uses("comment", nil)
			if r.code != 0 || len(g.comments) != 1 {
				t.Fatalf("exit code %d\n%s", r.code, r.log)
			}
			if _, got, _ := strings.Cut(g.comments[0].Body, "</sub>\n\n"); got != is.want {
				t.Errorf("became %q", got)
			}
			if strings.Contains(r.log, "::error") {
				t.Errorf("the log has what the artefact says:\n%s", r.log)
			}
		})
	}
}

// In the job that measured, the file is the comment. A token that may only read is not an error there, but a notice.
func TestCommentInTheSameJob(t *testing.T) {
	for _, readOnly := range []bool{false, true} {
		g := newGitHub(t)
		g.readOnly = readOnly
		j := newJob(t, t.TempDir(), "pull_request",
			map[string]any{"pull_request": map[string]any{"number": 5, "head": map[string]any{"sha": measuredSHA}}})
		j.env["GITHUB_API_URL"] = g.server.URL
		r := j.uses("comment", map[string]string{"file": j.write("comment.md", "### hone: passed\n")})
		if r.code != 0 || len(g.writes) != 1 || strings.Contains(r.log,
			"::notice title=hone::no comment: the token may only read") != readOnly {
			t.Errorf("read only %v: exit code %d, %v\n%s", readOnly, r.code, g.writes, r.log)
		}
		if !readOnly && (len(g.comments) != 1 || !strings.Contains(g.comments[0].Body,
			"https://github.example/acme/shop/actions/runs/77") ||
			!strings.HasSuffix(g.comments[0].Body, "### hone: passed\n")) {
			t.Errorf("%v", g.comments)
		}
	}
}

// Wrong uses end with what to do. A token that may not write is an error where it is the purpose of the job.
func TestCommentRefusals(t *testing.T) {
	for name, is := range map[string]struct {
		event string
		with  map[string]string
		set   func(*github)
		code  int
		says  string
	}{
		"push":        {event: "push", code: 2, says: "comments on pull_request and on workflow_run, not on push"},
		"no file":     {event: "pull_request", code: 2, says: "the input file is the path"},
		"key":         {with: map[string]string{"key": "a --> b"}, code: 2, says: "has other characters"},
		"read only":   {set: func(g *github) { g.readOnly = true }, code: 7, says: "pull-requests: write"},
		"wrong token": {with: map[string]string{"token": "expired"}, code: 7, says: "status 401"},
		"no artefact": {set: func(g *github) { clear(g.artifacts) },
			says: "::notice title=hone::no comment: the run left no artefact hone-comment"},
		"other author": {with: map[string]string{"author": "hone-bot[bot]"}, says: "comment: "},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := forked(t)
			g.artifacts["hone-comment"] = zipOf(t, "comment.md", "text")
			if is.set != nil {
				is.set(g)
			}
			j := commentJob(t, g, ranFor("fork", 42))
			if is.event != "" {
				j.env["GITHUB_EVENT_NAME"] = is.event
				j.write("event.json", `{"pull_request": {"number": 5}}`)
			}
			if r := j.uses("comment", is.with); r.code != is.code || !strings.Contains(r.log, is.says) {
				t.Errorf("exit code %d\n%s", r.code, r.log)
			}
		})
	}
}
