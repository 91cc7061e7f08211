package subject

import (
	"os/exec"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/gohone/hone/internal/text/fail"
	"pgregory.net/rapid"
)

func TestParseVariant(t *testing.T) {
	for _, c := range []struct {
		word string
		want Variant
	}{
		{"./cmd/framed", Variant{Source: "./cmd/framed"}},
		{" ./cmd/framed\t-stage  raw\n", Variant{Source: "./cmd/framed", Args: []string{"-stage", "raw"}}},
		{`HEAD~3:./cmd/server -greeting 'good "day"' -x "it's \"\$5\" \n" a\ b ''`,
			Variant{Source: "HEAD~3:./cmd/server", Args: []string{"-greeting", `good "day"`, "-x", `it's "$5" \n`, "a b", ""}}},
		{`GOGC=200 GREETING='good day' ./s GOGC=1`,
			Variant{Source: "./s", Args: []string{"GOGC=1"}, Env: []string{"GOGC=200", "GREETING=good day"}}},
		{"./a=b/s", Variant{Source: "./a=b/s"}},
		{"main.go", Variant{Source: "main.go"}},
		{"A=1 HEAD:./a.go 'b c.go' -x d.go", Variant{Source: "HEAD:./a.go 'b c.go'", Args: []string{"-x", "d.go"}, Env: []string{"A=1"}}},
		{"./cmd/vet a.go", Variant{Source: "./cmd/vet", Args: []string{"a.go"}}},
		{"./s \\\n -x", Variant{Source: "./s", Args: []string{"-x"}}},
	} {
		c.want.Name = "A"
		got, err := ParseVariant("A", c.word)
		if err != nil || !reflect.DeepEqual(got, c.want) {
			t.Errorf("%q:\n got %+v %v\nwant %+v", c.word, got, err, c.want)
		}
	}
}

func TestParseVariantNamesThePlace(t *testing.T) {
	for word, want := range map[string]string{
		`./s -x 'abc`:    `variant B: column 8: a quote that is never closed`,
		`./ß "`:          `variant B: column 5: a quote that is never closed`,
		`./s \`:          `variant B: column 5: a backslash with nothing after it`,
		"./s a\x00b":     `variant B: column 6: a zero byte cannot be passed to a program`,
		"  ":             `variant B: no package in "  "`,
		"GOGC=1 DEBUG=2": `variant B: no package in "GOGC=1 DEBUG=2"`,
		"'' -x":          `variant B: no package in "'' -x"`,
	} {
		_, err := ParseVariant("B", word)
		if err == nil || err.Error() != want || fail.ExitCode(err) != int(fail.BadInput) {
			t.Errorf("%q:\n got %v\nwant %s", word, err, want)
		}
	}
}

func wordGenerator() *rapid.Generator[[]string] {
	return rapid.SliceOf(rapid.StringOf(rapid.RuneFrom([]rune("ab \t\n'\"\\$`*;|&~#=ß!(){}<>?[]"))))
}

func TestQuotedWordsComeBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		words := wordGenerator().Draw(t, "words")
		back, err := SplitCommand(JoinCommand(words))
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
		line.WriteString("printf '%s\\0' x " + JoinCommand(words) + "\n")
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
	words, err := SplitCommand(tricky)
	if err != nil {
		t.Fatal(err)
	}
	got, err = exec.Command(sh, "-c", `printf '%s\0' `+tricky).Output()
	if err != nil || string(got) != strings.Join(words, "\x00")+"\x00" {
		t.Errorf("%s: the shell reads %q, SplitCommand %q", tricky, got, words)
	}
}

func FuzzParseVariant(f *testing.F) {
	for _, seed := range []string{"./s -x 'a b' \"c\\\"\"", "A=1 m:d", "'", `\`, "\x00", "ref:dir \xff", "  ", "a.go b.go -x", "HEAD:'a b.go' c.go d.go", ".go"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, word string) {
		v, err := ParseVariant("A", word)
		if err != nil {
			if fail.ExitCode(err) != int(fail.BadInput) {
				t.Errorf("%q: %v is not bad input", word, err)
			}
			return
		}
		again, err := ParseVariant("A", JoinCommand(v.Words()))
		if utf8.ValidString(word) && (err != nil || !reflect.DeepEqual(again, v)) {
			t.Errorf("%q: %+v quoted and parsed again is %+v %v", word, v, again, err)
		}
	})
}
