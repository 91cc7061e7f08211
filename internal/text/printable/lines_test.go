package printable

import (
	"reflect"
	"strings"
	"testing"
	"time"
)

type word string

type part struct {
	Name  string
	Kind  word
	Any   any
	Texts []string
	More  map[string]*part
	Whole string `printable:"lines"`
	When  time.Time
	Count []int
	inner string
}

// Every text of a document is one line, at any depth, whatever holds it; the document that was given stays as it was.
func TestDocumentsHaveNoLinesOfTheirOwn(t *testing.T) {
	const forged = "x\nnext: rm -rf\r\u2028\u202e\x1b[2J"
	document := func(text string) part {
		return part{
			Name: text, Kind: word(text), Any: []any{text, &part{Name: text}}, Texts: []string{"clean", text},
			Count: []int{1},
			More: map[string]*part{text: {Name: text, Any: map[string]string{text: text}, Whole: text},
				"nothing": nil},
			inner: "stays",
		}
	}
	given := document(forged)
	got := Document(&given)
	line := Line(forged)
	if strings.ContainsAny(line, "\n\r\u2028\u202e\x1b") {
		t.Fatalf("%q", line)
	}
	want := document(line)
	want.More[line].Whole = Indented(forged)
	if !strings.Contains(want.More[line].Whole, "x\n  next: rm") {
		t.Fatalf("%q", want.More[line].Whole)
	}
	if !reflect.DeepEqual(*got, want) {
		t.Errorf("got  %+v\nwant %+v", *got, want)
	}
	if !reflect.DeepEqual(given, document(forged)) {
		t.Error("the document that was given has changed")
	}
	clean := document("clean")
	if got := Document(&clean); got != &clean {
		t.Error("a clean document is copied")
	}
	if got := Document("a\nb"); got != "a b" {
		t.Errorf("%q", got)
	}
	self := &part{Name: "a\nb"}
	self.Any = self
	if got := Document(self); got.Name != "a b" {
		t.Errorf("%q", got.Name)
	}
}
