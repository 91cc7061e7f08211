package requests

import (
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/gohone/hone/internal/text/inputs"
)

// Texts are cut at a bound, never within an escape, and what was cut says so.
func TestTextsOfARecordingAreCut(t *testing.T) {
	for text, want := range map[string]string{
		`{"a":"1234","b":[1,"x"]}`:   `{"a":"1234","b":[1,"x"]}`,
		`{"a":"12345678"}`:           `{"a":"1234\u0000cut"}`,
		`{"a":"123\"5\\678","b":""}`: `{"a":"123\"\u0000cut","b":""}`,
		`["1\u00e92345","\\"]`:       `["1\u00e9\u0000cut","\\"]`,
		`["\\\\\\\\\\"]`:             `["\\\\\u0000cut"]`,
		`["1234\u0041"]`:             `["1234\u0000cut"]`,
	} {
		for _, r := range []io.Reader{strings.NewReader(text), iotest.OneByteReader(strings.NewReader(text))} {
			c := newHARCutter("x", r)
			c.text = 4
			got, err := io.ReadAll(c)
			if err != nil || string(got) != want || !json.Valid(got) {
				t.Errorf("%s: %s, %v, want %s", text, got, err, want)
			}
		}
	}
}

// Contents of answers are not kept, however long; an entry has a bound, and bodies that were cut are left out.
func TestARecordingWithLongTexts(t *testing.T) {
	entry := func(post, content string) io.Reader {
		return io.MultiReader(
			strings.NewReader("\ufeff"+`{"log":{"pages":[],"entries":[{"startedDateTime":"2026-01-31T12:00:00Z","request":{"method":"POST","url":"http://h/a","postData":{"text":"`+post+`"}},"response":{"content":{"text":"`),
			strings.NewReader(content), strings.NewReader(`"}}}]}}`))
	}
	long := strings.Repeat(`\"`, int(inputs.HARText.Most)/2+1)
	l, err := ReadHAR("x.har", entry("body", long), HAROptions{Methods: []string{"POST"}})
	if err != nil || len(l.Requests) != 1 || string(l.Requests[0].Body) != "body" {
		t.Errorf("%+v, %v", l, err)
	}
	_, err = ReadHAR("x.har", entry(long, ""), HAROptions{Methods: []string{"POST"}})
	if err == nil || !strings.Contains(err.Error(), "1 with a body over 16 MiB") {
		t.Errorf("of a long body %v", err)
	}
	many := strings.NewReader(`{"log":{"entries":[{"request":{"headers":[` + strings.Repeat("{},", mostFields) +
		`{}]}}]}}`)
	if _, err = ReadHAR("x.har", many, HAROptions{}); err == nil ||
		!strings.Contains(err.Error(), "more than 10000 headers") {
		t.Errorf("of many headers %v", err)
	}
	large := (*inputs.TooLarge)(nil)
	endless := io.MultiReader(strings.NewReader(`{"log":{"entries":[[`), &repeated{"[],"})
	if _, err = ReadHAR("x.har", endless, HAROptions{}); !errors.As(err, &large) || large.Bound != inputs.HAREntry {
		t.Errorf("of an endless entry %v", err)
	}
}

// repeated is a text without an end.
type repeated struct{ text string }

func (r *repeated) Read(p []byte) (int, error) {
	n := copy(p, strings.Repeat(r.text, len(p)/len(r.text)+1))
	r.text = r.text[n%len(r.text):] + r.text[:n%len(r.text)]
	return n, nil
}
