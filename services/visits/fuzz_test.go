package visits

import (
	"cmp"
	"encoding/json"
	"html"
	"net/http"
	"net/url"
	"testing"
)

// FuzzQuery holds the query that is read in place against net/http's reading, with the
// scratch of another query.
func FuzzQuery(f *testing.F) {
	for _, q := range requests {
		f.Add(q)
	}
	s := new(scratch)
	f.Fuzz(func(t *testing.T, query string) {
		if len(query) > maxQuery {
			return
		}
		r := &http.Request{Method: http.MethodGet, URL: &url.URL{RawQuery: query}}
		name, color := s.nameAndColor(query)
		if wantName, wantColor := cmp.Or(r.FormValue("name"), defaultName), cmp.Or(r.FormValue("color"), defaultColor); string(name) != wantName || string(color) != wantColor {
			t.Errorf("%q: %q, %q; net/http has %q, %q", query, name, color, wantName, wantColor)
		}
	})
}

func FuzzEscapes(f *testing.F) {
	for _, s := range []string{"gopher", "<b>&amp;</b>", `"'\`, "\x00\x1f\x7f\xff", "\u2028\ufffd\U0001f439", "\xe2\x80"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if got, want := string(appendEscaped([]byte("<"), s)), "<"+html.EscapeString(s); got != want {
			t.Errorf("HTML of %q: %q, want %q", s, got, want)
		}
		standard, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		var got, want string
		line := append(appendJSON([]byte(`"`), []byte(s)), '"')
		if err := json.Unmarshal(standard, &want); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(line, &got); err != nil || got != want {
			t.Errorf("JSON of %q: %s, which reads %q (%v), want %q", s, line, got, err, want)
		}
	})
}
