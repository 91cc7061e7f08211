package code

import "testing"

// A pattern of a quoted text is a plain search; one that quotes something else, or that the request brings, is not.
func TestPatternsOfQuotedTexts(t *testing.T) {
	f, marks := parsed(t, `package p

import "regexp"

func search(q, pattern string) {
	regexp.MustCompile("(?i)" + regexp.QuoteMeta(q)) // quoted
	word := regexp.QuoteMeta(q) + "[0-9]*"
	regexp.Compile("^" + word) // variable
	regexp.MustCompile(pattern) // given
	println(regexp.QuoteMeta(q)) // printed
}
`)
	for mark, want := range map[string]bool{"quoted": true, "variable": true, "given": false, "printed": false} {
		if got := f.CompilesQuoted(marks[mark]); got != want {
			t.Errorf("%s: %t, want %t", mark, got, want)
		}
	}
}
