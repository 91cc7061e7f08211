package answers

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// sayings is two starts of a variant that answers with these bodies.
func sayings(json bool, n int, say func(start, n int) string) []Answer {
	var all []Answer
	for start := 1; start <= 2; start++ {
		for i := range n {
			text := say(start, i)
			body := NewBody([]byte(text), json)
			all = append(all, Answer{
				Start: start, Code: 200, What: "GET /", Length: int64(len(text)), Wire: int64(len(text)),
				Content: body.Hash, Raw: hashBody([]byte(text)), Body: body,
			})
		}
	}
	return all
}

// What differs in A's own answers is left out, and nothing else.
func TestOnlyWhatDiffersInAIsLeftOut(t *testing.T) {
	long := strings.Repeat("<li>a line of the page</li>\n", 200)
	id := func(start, n int) string {
		return fmt.Sprintf("%08x-%04x", (start*7919+n)*2654435761%4294967296, n*40503%65536)
	}
	stamp := func(start, n int) string { return fmt.Sprintf("2026-11-26T08:2%d:%02d.%03dZ", start, n%60, n*37%1000) }
	page := func(start, n int) string {
		return "<html><!-- " + id(start, n) + " -->" + long + "<p>3 items of 9.50</p></html>"
	}
	record := func(start, n int) string {
		return fmt.Sprintf(`{"id":%q,"at":%q,"took_ms":%d.%d,"items":[{"name":"a","price":950},{"name":"b","price":1050}],"total":2000}`,
			id(start, n), stamp(start, n), n%50, n%7)
	}
	tags := func(start, n int) []string { // out of a map
		all := []string{`"red"`, `"green"`, `"blue"`, `"white"`}
		if start > 2 { // an order that A has not answered in
			slices.Reverse(all)
		}
		return append(append([]string{}, all[(n+start)%4:]...), all[:(n+start)%4]...)
	}
	list := func(start, n int) string { return `{"tags":[` + strings.Join(tags(start, n), ",") + `]}` }
	protobuf := func(start, n int) string {
		pairs := []string{"\x0a\x06\x0a\x01a\x10\xe8\x07", "\x0a\x05\x0a\x01b\x10\x02", "\x0a\x06\x0a\x01c\x10\x96\x01"}
		if start > 2 {
			slices.Reverse(pairs)
		}
		return strings.Join(append(append([]string{}, pairs[(n+start)%3:]...), pairs[:(n+start)%3]...), "")
	}
	padded := func(start, n int) string {
		return fmt.Sprintf("%08d/count", start*100000+n*13) + strings.Repeat("x", 403)
	}
	swap := func(say func(int, int) string, from, to string) func(int, int) string {
		return func(start, n int) string {
			text := say(start, n)
			if !strings.Contains(text, from) {
				t.Fatalf("%q is not in %q", from, text)
			}
			return strings.ReplaceAll(text, from, to)
		}
	}
	later := func(say func(int, int) string) func(int, int) string {
		return func(start, n int) string { return say(start+2, n) }
	}
	for _, c := range []struct {
		name string
		json bool
		a, b func(start, n int) string
		same bool
	}{
		{"a page with an id", false, page, later(page), true},
		{"its price differs", false, page, swap(later(page), "9.50", "9.60"), false},
		{"a line of it is gone", false, page, swap(later(page), "<p>3 items of 9.50</p>", ""), false},
		{"the id is empty", false, page, func(start,
			n int) string {
			return strings.Replace(page(1, 0), id(1, 0), "", 1)
		}, false},
		{"a record with an id and times", true, record, later(record), true},
		{"its sum differs", true, record, swap(later(record), `"total":2000`, `"total":0`), false},
		{"its names differ", true, record, swap(later(record), `"name":"b"`, `"name":"c"`), false},
		{"its items are gone", true, record, swap(later(record), `{"name":"a","price":950},{"name":"b","price":1050}`,
			""), false},
		{"a list out of a map", true, list, later(list), true},
		{"an item of it is another one", true, list, swap(later(list), `"blue"`, `"pink"`), false},
		{"fields of protobuf out of a map", false, protobuf, later(protobuf), true},
		{"a value of them is another one", false, protobuf, swap(later(protobuf), "\xe8\x07", "\xe9\x07"), false},
		{"a counter in a body without words", false, padded, later(padded), true},
		{"that body is another one", false, padded, swap(later(padded), "xxxx", "yxxx"), false},
		{"all is drawn", false, id, later(id), true},
	} {
		got := Compare(sayings(c.json, 60, c.a), sayings(c.json, 60, c.b), false)
		if got.Same != c.same || got.Compared != 120 {
			t.Errorf("%s: %s %+v", c.name, got, got)
		}
		if c.same == (got.Differing > 60) {
			t.Errorf("%s: %d differ", c.name, got.Differing)
		}
	}
}

// Where A never varies a few wrong answers of thousands are a finding, unless all came of one start; all are counted.
func TestFewWrongAnswers(t *testing.T) {
	fixed := func(start, n int) string { return "the answer" }
	for _, c := range []struct {
		every, starts int
		same          bool
		text          string
	}{
		{300, 2, false, "0.3 % other content"},
		{1000, 2, true, "same (6,000 compared, 6 differ (GET /: other 10 bytes))"},
		{100, 1, false, "0.5 % other content"},
		{250, 1, true, "same (6,000 compared, 12 differ (GET /: other 10 bytes))"},
	} {
		b := sayings(false, 3000, func(start, n int) string {
			if start <= c.starts && n%c.every == c.every-1 {
				return "wrong text"
			}
			return fixed(start, n)
		})
		got := Compare(sayings(false, 3000, fixed), b, false)
		if got.Same != c.same || got.String() != c.text {
			t.Errorf("1 of %d in %d starts: %s", c.every, c.starts, got)
		}
	}
	// Counted answers weigh as many as they are.
	a, b := sayings(false, 1, fixed), sayings(false, 1, fixed)
	for i := range a {
		a[i].Count, b[i].Count = 50_000, 49_980
		wrong := b[i]
		wrong.Content, wrong.Body, wrong.Count = 1, nil, 20
		b = append(b, wrong)
	}
	if got := Compare(a, b, false); got.Same || got.Differing != 40 || got.Compared != 100_000 {
		t.Errorf("counted: %s %+v", got, got)
	}
}

// An answer in A's own JSON is A's, in whatever order its keys are; other bytes are not.
func TestJSONIsComparedAsJSON(t *testing.T) {
	for _, c := range []struct {
		a, b string
		same bool
	}{
		{`{"a":1,"b":[1,2,{"x":null,"y":"é"}]}`, "{ \"b\": [1, 2, {\"y\":\"\\u00e9\", \"x\":null}],\n \"a\": 1 }\n",
			true},
		{`{"a":"<b>"}`, `{"a":"\u003cb\u003e"}`, true},
		{"{\"a\":1,\"b\":2}\n{\"a\":3,\"b\":4}\n", "{\"b\":2,\"a\":1}\n{\"b\":4,\"a\":3}", true},
		{`{"a":1}`, `{"a":1.0}`, false},
		{`{"a":100000000000000000001}`, `{"a":100000000000000000002}`, false},
		{`{"a":[1,2]}`, `{"a":[2,1]}`, false},
		{`{"a":1,"b":2}`, `{"a":2,"b":1}`, false},
		{`{"a":1}`, `{"a":1,"a":2}`, false},
		{`{"a":"1"}`, `{"a":1}`, false},
		{`{"a":null}`, `{}`, false},
	} {
		say := func(text string) []Answer { return sayings(true, 30, func(int, int) string { return text }) }
		got := Compare(say(c.a), say(c.b), false)
		if got.Same != c.same {
			t.Errorf("%s and %s: %s", c.a, c.b, got)
		}
		if c.same && !strings.HasSuffix(got.String(), "; the same JSON, written otherwise)") {
			t.Errorf("%s and %s: %s", c.a, c.b, got)
		}
		text := func(text string) []Answer { return sayings(false, 30, func(int, int) string { return text }) }
		if Compare(text(c.a), text(c.b), false).Same {
			t.Errorf("%s and %s are the same, and no JSON", c.a, c.b)
		}
	}
}

// The same content in another packing is the same answer, and it is said how long it is.
func TestOtherPackingIsTheSameAnswer(t *testing.T) {
	say := func(packed string, wire int64) []Answer {
		all := sayings(false, 30, func(int, int) string { return strings.Repeat("text ", 100) })
		for i := range all {
			all[i].Packed, all[i].Wire = packed, wire
		}
		return all
	}
	for _, c := range []struct {
		a, b []Answer
		want string
	}{
		{say("gzip", 100), say("gzip", 88), "same when unpacked, 12 % fewer bytes on the wire (60 compared, 0 differ)"},
		{say("gzip", 100), say("", 500), "same when unpacked, 400 % more bytes on the wire (60 compared, 0 differ)"},
		{say("gzip", 100), say("gzip", 100), "same (60 compared, 0 differ)"},
		{say("", 500), say("", 500), "same (60 compared, 0 differ)"},
	} {
		if got := Compare(c.a, c.b, false); got.String() != c.want || !got.Same {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

func FuzzTemplateFitsWhatItIsMadeOf(f *testing.F) {
	f.Add("a 1 b", "a 2 b", "a 3 c")
	f.Add("", "x", "")
	f.Add(`{"a":1,"b":1}`, `{"a":1}`, `{"b":1,"a":1}`)
	f.Fuzz(func(t *testing.T, a, b, c string) {
		template := templateOf([]byte(a)).widen([]byte(b)).widen([]byte(c))
		for _, one := range []string{a, b, c} {
			if !template.matches([]byte(one)) {
				t.Errorf("%q does not fit %+v", one, template)
			}
		}
	})
}
