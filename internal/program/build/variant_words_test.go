package build

import (
	"reflect"
	"testing"
	"unicode/utf8"

	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/shellwords"
)

func TestParseVariant(t *testing.T) {
	for _, c := range []struct {
		word string
		want Variant
	}{
		{"./cmd/framed", Variant{Source: "./cmd/framed"}},
		{" ./cmd/framed\t-stage  raw\n", Variant{Source: "./cmd/framed", Args: []string{"-stage", "raw"}}},
		{`HEAD~3:./cmd/server -greeting 'good "day"' -x "it's \"\$5\" \n" a\ b ''`,
			Variant{Source: "HEAD~3:./cmd/server",
				Args: []string{"-greeting", `good "day"`, "-x", `it's "$5" \n`, "a b", ""}}},
		{`GOGC=200 GREETING='good day' ./s GOGC=1`,
			Variant{Source: "./s", Args: []string{"GOGC=1"}, Env: []string{"GOGC=200", "GREETING=good day"}}},
		{"./a=b/s", Variant{Source: "./a=b/s"}},
		{"main.go", Variant{Source: "main.go"}},
		{"A=1 HEAD:./a.go 'b c.go' -x d.go",
			Variant{Source: "HEAD:./a.go 'b c.go'", Args: []string{"-x", "d.go"}, Env: []string{"A=1"}}},
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

func FuzzParseVariant(f *testing.F) {
	for _, seed := range []string{"./s -x 'a b' \"c\\\"\"", "A=1 m:d", "'", `\`, "\x00", "ref:dir \xff", "  ",
		"a.go b.go -x", "HEAD:'a b.go' c.go d.go", ".go"} {
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
		again, err := ParseVariant("A", shellwords.Join(v.Words()))
		if utf8.ValidString(word) && (err != nil || !reflect.DeepEqual(again, v)) {
			t.Errorf("%q: %+v quoted and parsed again is %+v %v", word, v, again, err)
		}
	})
}
