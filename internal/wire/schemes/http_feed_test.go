package schemes_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/wire"
	"github.com/gohone/hone/internal/wire/schemes"
)

func TestReadFeedTakesCSVAndJSONLines(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"a.csv", "id,name\n1,x\n2,\"y, \"\"z\"\"\nw\"\n", `[id name] ["1" "x"] ["2" "y, \"z\"\nw"]`},
		{"a.csv", "\ufeffid\r\n\r\n1\r\n 2 ", `[id] ["1"] [" 2 "]`},
		{"a.txt", "id\n\"\"\n", `[id] [""]`},
		{"a.jsonl", `{"id":1,"name":"x\u00e9"}` + "\n\n" + `{"name":true,"id":1e3,"more":0}`,
			`[id name] ["1" "xé"] ["1e3" "true"]`},
		{"A.NDJSON", "\ufeff" + ` {"o": {"a": [1, 2]}, "n": null} ` + "\r\n", `[o n] ["{\"a\": [1, 2]}" "null"]`},
	} {
		f, err := wire.ReadFeed(c.name, strings.NewReader(c.text))
		if err != nil {
			t.Errorf("%s %q: %v", c.name, c.text, err)
			continue
		}
		got := fmt.Sprint(f.Names)
		for _, row := range f.Rows {
			got += fmt.Sprintf(" %q", row)
		}
		if got != c.want {
			t.Errorf("%s %q: got %s, want %s", c.name, c.text, got, c.want)
		}
	}
}

func TestReadFeedSaysWhereItIsWrong(t *testing.T) {
	for _, c := range []struct{ name, text, want, hint string }{
		{"a.csv", "", "a.csv: the feed is empty", "column names"},
		{"a.csv", "id,name\n", "a.csv: the feed has no rows", "at least one"},
		{"a.csv", "id,name\n1,x\n2\n", "a.csv:3:1: wrong number of fields", "id, name"},
		{"a.csv", "id,name\n1,\"x\n", `a.csv:2:6: extraneous or missing " in quoted-field`, "double the quotes"},
		{"a.csv", "id,name\n1,x\"y\n", `a.csv:2:4: bare " in non-quoted-field`, "double the quotes"},
		{"a.csv", "id,id\n1,2\n", `a.csv:1:1: two columns of the feed are named "id"`, "rename"},
		{"a.csv", "id,\n1,2\n", `a.csv:1:1: column 2 of the feed is named ""`, "column names"},
		{"a.csv", "id,port\n1,2\n", `a.csv:1:1: column 2 of the feed is named "port"`, "rename"},
		{"a.jsonl", "", "a.jsonl: the feed has no rows", "at least one"},
		{"a.jsonl", "{\"a\":1}\n[1]\n", "a.jsonl:2:1: want an object", "one object"},
		{"a.jsonl", "{\"a\":1}\n\n{\"b\":1}\n", `a.jsonl:3:7: key "a" is missing`, "every line needs a"},
		{"a.jsonl", "{\"a\":1} x\n", "a.jsonl:1:9: invalid character 'x' after", "one object"},
		{"a.jsonl", "{\"a\":1,\"a\":2}\n", `a.jsonl:1:11: key "a" stands there twice`, "one object"},
		{"a.jsonl", "{\"a\":tru}\n", "a.jsonl:1:9: invalid character", "one object"},
		{"a.jsonl", "{\"a\":1\n", "a.jsonl:1:7: unexpected end of JSON", "one object"},
		{"a.jsonl", "{}\n", "a.jsonl:1:1: the feed has no columns", ""},
	} {
		_, err := wire.ReadFeed(c.name, strings.NewReader(c.text))
		wantInputError(t, fmt.Sprintf("%q", c.text), err, c.want, c.hint)
	}
}

// What ReadFeed takes fills requests, and every row is as long as the names.
func FuzzReadFeed(f *testing.F) {
	f.Add("a.csv", "id,name\n1,\"x\n\"\n")
	f.Add("a.csv", "\ufeffid\r\n\r\n1")
	f.Add("a.jsonl", "{\"id\":1,\"name\":\"x\"}\n{\"name\":[{}],\"id\":null}\n")
	f.Add("a.ndjson", "{\"id\":\"\\ud800\"}{")
	f.Fuzz(func(t *testing.T, name, text string) {
		feed, err := wire.ReadFeed(name, strings.NewReader(text))
		if err != nil {
			var e *fail.Error
			if !errors.As(err, &e) || e.Kind != fail.BadInput {
				t.Errorf("%q: %v is not an input error", text, err)
			}
			return
		}
		if len(feed.Rows) == 0 {
			t.Errorf("%q: no rows", text)
		}
		target, err := schemes.Parse("http://h/", wire.Options{Feed: feed, Body: []byte("{" + feed.Names[0] + "}")})
		if err != nil {
			t.Fatalf("%q: the feed does not fit: %v", text, err)
		}
		if _, body := requestOf(t, target.Dialog(0), 0); body != feed.Rows[0][0] {
			t.Errorf("%q: body is %q, want %q", text, body, feed.Rows[0][0])
		}
	})
}
