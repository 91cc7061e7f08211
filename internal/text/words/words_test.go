package words

import (
	"strings"
	"testing"
)

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
