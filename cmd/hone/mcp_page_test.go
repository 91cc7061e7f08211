package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// exchange is a call of the session in docs/mcp.md, with the answer as the page shows it.
type exchange struct {
	tool, arguments string
	answer          []string
}

// sessionOf reads the session of a page: calls begin with "> ", go on with ">  ", and the answer comes after them.
func sessionOf(t *testing.T, page string) (all []exchange, patch string) {
	t.Helper()
	block := func(begin string) string {
		_, rest, found := strings.Cut(page, begin)
		text, _, ended := strings.Cut(rest, "\n```\n")
		if !found || !ended {
			t.Fatalf("there is no block after %q", begin)
		}
		return text + "\n"
	}
	for line := range strings.SplitSeq(strings.TrimSpace(block("```\n> ")), "\n") {
		call, is := strings.CutPrefix(line, "> ")
		switch {
		case len(all) == 0:
			call, is = line, true // block has cut its mark off
		case is && strings.HasPrefix(call, " "):
			all[len(all)-1].arguments += call
			continue
		}
		if is {
			tool, arguments, _ := strings.Cut(call, " ")
			all = append(all, exchange{tool: tool, arguments: arguments})
			continue
		}
		all[len(all)-1].answer = append(all[len(all)-1].answer, line)
	}
	return all, block("```diff\n")
}

// What differs from one session to the next: names in the ledger, commits, figures.
var (
	nameInLedger = regexp.MustCompile(`\b[0-9a-f]{8}\b`)
	hash         = regexp.MustCompile(`\b[0-9a-f]{10,12}\b`)
	figure       = regexp.MustCompile(`[-+]?[0-9][0-9.,]*`)
)

// shape is a line without that.
func shape(line string) string {
	return figure.ReplaceAllString(hash.ReplaceAllString(nameInLedger.ReplaceAllString(line, "ID"), "HASH"), "N")
}

// names are those of the page, with the ones of this session.
type names map[string]string

// same says whether a line of the page stands for one of an answer. One that ends with " ..." is its beginning.
func (n names) same(shown, said string) bool {
	want, got := shape(shown), shape(said)
	if begin, cut := strings.CutSuffix(want, " ..."); cut && strings.HasPrefix(got, begin) || want == got {
		there, here := nameInLedger.FindAllString(shown, -1), nameInLedger.FindAllString(said, -1)
		for i, name := range there {
			if known := n[name]; known != "" && known != here[i] {
				return false
			}
			n[name] = here[i]
		}
		return true
	}
	return false
}

// missing is the first line of an answer on the page that the server did not say; "" for none. "..." stands for any
// lines.
func (n names) missing(page, said []string) string {
	skipping := false
	for _, shown := range page {
		if shown == "..." {
			skipping = true
			continue
		}
		for skipping && len(said) > 0 && !n.same(shown, said[0]) {
			said = said[1:]
		}
		if len(said) == 0 || !n.same(shown, said[0]) {
			return shown
		}
		skipping, said = false, said[1:]
	}
	if !skipping && len(said) > 0 {
		return "no line more, but it said " + said[0]
	}
	return ""
}

// The session of docs/mcp.md is one of a real server.
func TestSessionOfThePage(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../docs/mcp.md")
	if err != nil {
		t.Fatal(err)
	}
	session, patch := sessionOf(t, string(page))
	if len(session) != 5 {
		t.Fatalf("the page has %d calls", len(session))
	}
	dir := t.TempDir()
	write(t, filepath.Join(dir, ".gitignore"), ".hone\n")
	write(t, filepath.Join(dir, "go.mod"), "module example.com/matcher\n\ngo 1.24\n")
	if err := os.MkdirAll(filepath.Join(dir, "cmd/server"), 0o700); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "cmd/server/main.go"), matcher)
	write(t, filepath.Join(dir, "cmd/server/main_test.go"), matcherTest)
	commit(t, dir, "one")
	a, known := newAgent(t, dir), names{}
	quoted, err := json.Marshal(patch)
	if err != nil {
		t.Fatal(err)
	}
	for _, one := range session {
		arguments := strings.Replace(one.arguments, "PATCH", string(quoted), 1)
		for there, here := range known {
			arguments = strings.ReplaceAll(arguments, there, here)
		}
		text, _, failed := a.ask(one.tool, json.RawMessage(arguments))
		lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
		if line := known.missing(one.answer, lines); failed || line != "" {
			t.Fatalf("%s: the page has %q\nthe server said:\n%s", one.tool, line, text)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, ".hone/reports")); err != nil {
		t.Error(err)
	}
}

// A line of the page that the server does not say is noticed, and so is one that the page leaves out.
func TestShapesOfAnswers(t *testing.T) {
	said := []string{"0badcafe complete", "CPU 4.1 us (-3 %)", "why: x", "next: receipt id=0badcafe"}
	for _, c := range []struct {
		page []string
		want string
	}{
		{[]string{"11111111 complete", "CPU 36 us (-45.2 %)", "...", "next: receipt id=11111111"}, ""},
		{[]string{"11111111 complete", "CPU ...", "why: x", "next: receipt id=11111111"}, ""},
		{[]string{"...", "why: x", "next: receipt id=11111111"}, ""},
		{[]string{"11111111 complete", "...", "next: receipt id=22222222"}, ""},
		{[]string{"11111111 complete", "next: receipt id=11111111"}, "next: receipt id=11111111"},
		{[]string{"11111111 complete", "...", "why: y", "..."}, "why: y"},
		{[]string{"11111111 complete", "CPU 4 ms (-3 %)", "..."}, "CPU 4 ms (-3 %)"},
		{[]string{"11111111 complete"}, "no line more, but it said CPU 4.1 us (-3 %)"},
	} {
		if got := (names{}).missing(c.page, said); got != c.want {
			t.Errorf("%q: %q, want %q", c.page, got, c.want)
		}
	}
	n := names{}
	if n.missing([]string{"11111111 complete", "..."}, said) != "" ||
		n.missing([]string{"11111111 complete", "..."}, []string{"deadbeef complete"}) == "" {
		t.Errorf("a name stands for two: %v", n)
	}
}
