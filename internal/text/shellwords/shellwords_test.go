package shellwords

import (
	"os/exec"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func wordGenerator() *rapid.Generator[[]string] {
	return rapid.SliceOf(rapid.StringOf(rapid.RuneFrom([]rune("ab \t\n'\"\\$`*;|&~#=ß!(){}<>?[]"))))
}

func TestQuotedWordsComeBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		words := wordGenerator().Draw(t, "words")
		back, err := Split(Join(words))
		if err != nil || len(back) != len(words) || len(words) > 0 && !reflect.DeepEqual(back, words) {
			t.Fatalf("%q came back as %q: %v", words, back, err)
		}
	})
}

// The outside source for quoting is the shell itself.
func TestQuotedWordsAsTheShellReadsThem(t *testing.T) {
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("no shell here")
	}
	gen := wordGenerator()
	var line, want strings.Builder
	for i := range 200 {
		words := gen.Example(i)
		line.WriteString("printf '%s\\0' x " + Join(words) + "\n")
		want.WriteString("x\x00")
		for _, w := range words {
			want.WriteString(w + "\x00")
		}
	}
	got, err := exec.Command(sh, "-c", line.String()).Output()
	if err != nil || string(got) != want.String() {
		t.Errorf("the shell reads something else: %v", err)
	}
	const tricky = `a\b "c\d\"\\" 'e\f'g"h i"  '' "" \'`
	words, err := Split(tricky)
	if err != nil {
		t.Fatal(err)
	}
	got, err = exec.Command(sh, "-c", `printf '%s\0' `+tricky).Output()
	if err != nil || string(got) != strings.Join(words, "\x00")+"\x00" {
		t.Errorf("%s: the shell reads %q, SplitCommand %q", tricky, got, words)
	}
}
