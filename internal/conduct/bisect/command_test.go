package bisect

import (
	"slices"
	"strings"
	"testing"

	"github.com/gohone/hone/internal/store/commitsearch"
	"github.com/gohone/hone/internal/text/shellwords"
)

// The command that compares again has the name of a benchmark as one word, whatever the name is.
func TestCommandQuotesNames(t *testing.T) {
	one, other := strings.Repeat("a", 40), strings.Repeat("b", 40)
	for _, name := range []string{"Work", "Work/size=1-8", `x';id;'`, "$(id)", "`id`", `a"b c`} {
		command := (&Benchmarks{}).Command(one, other, commitsearch.Target{Package: "example.com/p", Benchmark: name})
		_, again, _ := strings.Cut(command, " && hone ")
		words, err := shellwords.Split(again) // as a shell does
		if err != nil || !slices.Contains(words, "aaaaaaaaaaaa") || len(words) != 6 ||
			!strings.Contains(words[3], "^Benchmark") {
			t.Errorf("%q: %s: %q, %v", name, command, words, err)
		}
	}
	if command := (&Benchmarks{}).Command(one, other, commitsearch.Target{Benchmark: "a\nnext: b"}); command != "" {
		t.Errorf("a name of two lines: %q", command)
	}
}
