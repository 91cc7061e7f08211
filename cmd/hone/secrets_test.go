package main

import (
	"bytes"
	"compress/gzip"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gohone/hone/internal/store/ledger"
)

// secret stands in every place where users put one.
const secret = "xyzzyS3CRETplugh"

// keeper is a program that takes secrets and tells none.
const keeper = `package main

import (
	"flag"
	"net/http"
	"os"
)

func main() {
	addr := flag.String("addr", "", "")
	once := flag.Bool("once", false, "")
	flag.String("password", "", "")
	flag.String("api-key", "", "")
	flag.String("upstream", "", "")
	flag.Parse()
	if *once {
		return
	}
	http.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) { w.Write([]byte("ok")) })
	if http.ListenAndServe(*addr, nil) != nil {
		os.Exit(1)
	}
}
`

// Secrets of command lines are in no output, no file and no row.
func TestSecretsAreNeitherStoredNorPrinted(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	if err := s.store.Close(); err != nil {
		t.Fatal(err)
	}
	s.write("src/go.mod", "module example.com/keeper\n\ngo 1.26\n")
	s.write("src/main.go", keeper)
	s.write("src/broken/main.go", "package main\n\nfunc main() { broken }\n")
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter,
		_ *http.Request) {
		w.Write([]byte("ok"))
	}))
	defer server.Close()
	host := strings.TrimPrefix(server.URL, "http://")
	target := "http://" + host + "/items?module=tcp_connect&key=" + secret + "&" + secret + "#" + secret
	request := []string{"-H", "Authorization: Bearer " + secret, "-H", "X-Anything: " + secret, "-H", "X-Tenant: acme",
		"--body", secret, "--set", "expect-json=a=" + secret}
	own := []string{"--env", "API_TOKEN=" + secret, "--env", "MODE=" + secret, "--", "-password=" + secret, "--api-key",
		secret, "-upstream=http://u:" + secret + "@h/?a=" + secret}
	word := "INLINE=" + secret + " ./src -password " + secret
	there := "http://127.0.0.1:{port}/items?key=" + secret
	measured := append([]string{"--target", there, "-c", "2", "--profile-time", "100ms", "-H",
		"Authorization: " + secret}, append(own, "-addr", "127.0.0.1:{port}")...)
	comment, kept := "", ""
	for _, args := range [][]string{
		append([]string{"load", target, "-n", "20", "-c", "1", "-o", "r.jsonl", "--html", "r.html", "--csv", "r.csv",
			"--hgrm", "r.hgrm"}, request...),
		append([]string{"load", target, "-n", "20", "-c", "1", "--json"}, request...),
		{"load", target, "http://" + host + "/b?k=" + secret, "-n", "20", "-c", "1", "-o", "mix.jsonl"},
		{"load", "http://127.0.0.1:1/?k=" + secret, "-n", "1", "-c", "1"},
		{"load", "http://user:" + secret + "@" + host + "/"},
		{"load", "http://user:" + secret + "@127.0.0.1:bad/?k=" + secret},
		{"load", "report", "r.jsonl"}, {"load", "report", "r.jsonl", "--json"},
		{"load", "plot", "r.jsonl", "-o", "plot.html"},
		{"load", "merge", "r.jsonl", "r.jsonl", "-o", "merged.jsonl"},
		append([]string{"run", word, "-d", "300ms"}, measured...),
		append([]string{"run", word, "-d", "300ms", "--json"}, measured...),
		append([]string{"compare", word, word, "--budget", "2s", "--markdown"}, measured...),
		append([]string{"run", "./src/broken"}, own...),
		append([]string{"run", "--once", word + " -once"}, own...),
		append([]string{"compare", "--once", word + " -once", word + " -once", "--budget", "2s", "--json"}, own...),
		append([]string{"run", "--once", "sh -c 'exit 3'"}, own...),
		{"pull", "http://user:" + secret + "@" + host + "/?k=" + secret},
		{"watch", "http://user:" + secret + "@" + host + "/?k=" + secret, "--plain", "-d", "1s"},
		{"history"}, {"history", "--json"}, {"ledger", "verify"}, {"baseline", "--json"},
	} {
		stdout, stderr := s.hone(args...)
		if strings.Contains(stdout+stderr, secret) {
			t.Errorf("hone %q printed the secret:\n%s%s", args[:2], around(stdout), around(stderr))
		}
		kept += stdout
		if slices.Contains(args, "--markdown") {
			comment = stdout
		}
		if strings.Contains(stderr, "unknown flag") {
			t.Errorf("hone %q: %s", args[:2], stderr)
		}
	}
	if found := s.filesWith(secret); len(found) > 0 {
		t.Errorf("the secret is in %q", found)
	}
	runs := s.runs()
	if len(runs) < 8 {
		t.Fatalf("only %d runs were stored: the measurements did not happen", len(runs))
	}
	for _, r := range runs {
		for _, args := range [][]string{{"show", r.ID}, {"show", r.ID, "--json"}, {"compare", r.ID, runs[0].ID}} {
			if stdout, stderr := s.hone(args...); strings.Contains(stdout+stderr, secret) {
				t.Errorf("hone %q printed the secret", args)
			}
		}
	}
	// The commands that repeat a comparison say that they are not whole, and do not run as they are.
	_, command, _ := strings.Cut(comment, "\nhone compare ")
	command, _, _ = strings.Cut(command, "\n")
	if !strings.Contains(command, "${API_TOKEN:?}") || strings.Contains(command, "***") ||
		strings.Contains(command, "hmac:") || !strings.Contains(comment, "first: hone keeps no secrets") {
		t.Errorf("the comment does not say what was left out:\n%s", comment)
	}
	if !strings.Contains(kept, "?module=tcp_connect&key=***") {
		t.Error("a plain value is missing from the output")
	}
	if n := walkPrinted(t, s.dir); n < 8 {
		t.Errorf("the printed commands of %d runs were walked", n)
	}
	s.wantPrivateFiles("src", "go") // go's own settings and counters

	// What is kept on request is there.
	s.hone("run", "--once", "--set=keep-env", "--env", "API_TOKEN="+secret, "./src -once")
	newest := s.runs()[0]
	if !strings.Contains(newest.Label, "API_TOKEN="+secret) {
		t.Errorf("--set keep-env: %q", newest.Label)
	}
	if stdout, _ := s.hone("show", newest.ID); !strings.Contains(stdout, secret) {
		t.Errorf("--set keep-env: %s", stdout)
	}
	if len(s.filesWith(secret)) == 0 {
		t.Error("the search for the secret finds nothing, also where it is")
	}
}

// around is the part of a text that has the secret.
func around(text string) string {
	i := strings.Index(text, secret)
	if i < 0 {
		return ""
	}
	return text[max(0, i-200):min(len(text), i+200)] + "\n"
}

// runs are those of the ledger, the newest first.
func (s *stage) runs() []ledger.Run {
	s.Helper()
	l, err := ledger.OpenReader(filepath.Join(s.dir, ".hone"))
	if err != nil {
		s.Fatal(err)
	}
	defer l.Close()
	runs, err := l.Runs(ledger.RunFilter{})
	if err != nil {
		s.Fatal(err)
	}
	return runs
}

// eachFile visits all files of the stage.
func (s *stage) eachFile(visit func(name string, info fs.FileInfo, content []byte)) {
	s.Helper()
	err := filepath.WalkDir(s.dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		content, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		name, err := filepath.Rel(s.dir, path)
		visit(name, info, content)
		return err
	})
	if err != nil {
		s.Fatal(err)
	}
}

// filesWith are the files that have a text in them, compressed ones included.
func (s *stage) filesWith(text string) (names []string) {
	s.Helper()
	s.eachFile(func(name string, _ fs.FileInfo, content []byte) {
		if unpacker, err := gzip.NewReader(bytes.NewReader(content)); err == nil {
			if unpacked, err := io.ReadAll(unpacker); err == nil {
				content = append(content, unpacked...)
			}
		}
		if bytes.Contains(content, []byte(text)) {
			names = append(names, name)
		}
	})
	return names
}

// wantPrivateFiles wants what hone has written to be for its user alone; the files of others
// are in the directories except.
func (s *stage) wantPrivateFiles(except ...string) {
	s.Helper()
	seen := 0
	s.eachFile(func(name string, info fs.FileInfo, _ []byte) {
		top, _, _ := strings.Cut(filepath.ToSlash(name), "/")
		if slices.Contains(except, top) {
			return
		}
		seen++
		if info.Mode().Perm()&0o077 != 0 {
			s.Errorf("%s has mode %v", name, info.Mode())
		}
	})
	if seen < 8 {
		s.Errorf("saw only %d files", seen)
	}
}
