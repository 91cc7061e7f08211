package answer

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// What is an event, after the examples of HTML, section 9.2.6.
func TestEventsAreCounted(t *testing.T) {
	for text, want := range map[string]int{
		"data: x\n\n":                              1,
		"data: x\r\n\r\n":                          1,
		"data: x\r\r":                              1,
		"data: x\n":                                0,
		"data: a\ndata: b\n\n":                     1,
		"data\n\n":                                 1,
		"data:\n\n":                                1,
		"data\n\ndata\ndata\n\ndata:":              2,
		": comment\n\n":                            0,
		": comment\ndata: x\n\n":                   1,
		"id: 1\nevent: add\n\n":                    0,
		"event: add\ndata: 73857293\n\n":           1,
		"database: x\n\n":                          0,
		"dat: x\n\n":                               0,
		"data : x\n\n":                             0,
		"Data: x\n\n":                              0,
		"\n\n\ndata: x\n\n\n\n":                    1,
		"\xef\xbb\xbfdata: x\n\n":                  1,
		"\xef\xbbdata: x\n\n":                      0,
		"data: x\n\n\xef\xbb\xbfdata: x\n\n":       1,
		"data:x\n\r\ndata: y\r\r\n":                2,
		"retry: 10\ndata: first\nid: 1\n\ndata:\n": 1,
	} {
		var p EventParser
		if got := p.Take([]byte(text)); got != want {
			t.Errorf("%q has %d events, want %d", text, got, want)
		}
	}
}

// reference counts events in a whole text, by its lines.
func reference(text string) (events int) {
	text = strings.TrimPrefix(text, "\xef\xbb\xbf")
	text = strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n")
	lines := strings.Split(text, "\n")
	data := false
	for _, line := range lines[:len(lines)-1] {
		name, _, _ := strings.Cut(line, ":")
		switch {
		case line == "" && data:
			events++
			data = false
		case name == "data":
			data = true
		}
	}
	return events
}

// Pieces may end anywhere.
func TestEventsInPieces(t *testing.T) {
	part := rapid.SampledFrom([]string{"data", "dat", ":", " ", "x", "\n", "\r", "\r\n", "\n\n", "\xef\xbb\xbf",
		"data: y\n\n", ": c\n", "id: 1\r\n"})
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(part, 0, 30).Draw(t, "text"), "")
		if strings.HasPrefix(strings.TrimPrefix(text, "\xef\xbb\xbf"), "\xef\xbb\xbf") {
			return // only the first mark is one
		}
		var p EventParser
		got := 0
		for rest := []byte(text); len(rest) > 0; {
			n := rapid.IntRange(1, len(rest)).Draw(t, "piece")
			got += p.Take(rest[:n])
			rest = rest[n:]
		}
		if want := reference(text); got != want {
			t.Fatalf("%q in pieces has %d events, want %d", text, got, want)
		}
	})
}

func FuzzEvents(f *testing.F) {
	f.Add("data: x\r\n\r\n", 3)
	f.Add("\xef\xbb\xbf: c\rdata\r\r", 1)
	f.Fuzz(func(t *testing.T, text string, cut int) {
		var whole, parts EventParser
		want := whole.Take([]byte(text))
		at := min(max(cut, 0), len(text))
		if got := parts.Take([]byte(text[:at])) + parts.Take([]byte(text[at:])); got != want {
			t.Errorf("%q has %d events, cut at %d %d", text, want, at, got)
		}
	})
}
