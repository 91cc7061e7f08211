package words

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// The table in docs/architecture.md says the same, in the same order.
func TestTheTableOfTheDocumentsAgrees(t *testing.T) {
	text, err := os.ReadFile("../../docs/architecture.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, found := strings.Cut(string(text), "\n## Words\n")
	section, _, _ := strings.Cut(rest, "\n## ")
	var got []Word
	for _, row := range regexp.MustCompile(`(?m)^\| (.+?) \| (.+) \|$`).FindAllStringSubmatch(section, -1) {
		if row[1] != "word" {
			got = append(got, Word{row[1], row[2]})
		}
	}
	if !found || len(got) != len(All) {
		t.Fatalf("docs/architecture.md has %d words, internal/words has %d", len(got), len(All))
	}
	for i, want := range All {
		if got[i] != want {
			t.Errorf("docs/architecture.md, row %d: %q, want %q", i+1, got[i], want)
		}
	}
}

func TestWordsAreExplainedOnce(t *testing.T) {
	seen := map[string]bool{}
	for _, w := range All {
		if seen[w.Name] || w.Meaning == "" || strings.HasSuffix(w.Meaning, ".") {
			t.Errorf("%q: there twice, without a meaning, or with a full stop", w.Name)
		}
		seen[w.Name] = true
	}
	var b strings.Builder
	if err := Write(&b); err != nil || strings.Count(b.String(), "\n") != len(All) {
		t.Errorf("%v\n%s", err, b.String())
	}
}
