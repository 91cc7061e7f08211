package requests_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gohone/hone/internal/wire/requests"
)

// body is a form as it is sent, without what is the same in all: lines of the parts, with | for the end of a line.
func body(t *testing.T, line string) (kind, parts string, notes []string) {
	t.Helper()
	c, err := requests.ReadCurl(line, files)
	if err != nil {
		t.Errorf("%s: %v", line, err)
		return
	}
	for _, h := range c.Headers {
		if name, value, _ := strings.Cut(h, ": "); strings.EqualFold(name, "content-type") {
			kind += "<" + value + ">"
		}
	}
	_, boundary, _ := strings.Cut(strings.Trim(kind, "<>"), "boundary=")
	text, whole := strings.CutSuffix(string(c.Body), "--"+boundary+"--\r\n")
	if boundary == "" || !whole || !strings.HasPrefix(text, "--"+boundary+"\r\n") {
		t.Errorf("%s: Content-Type %s does not fit the body %q", line, kind, c.Body)
	}
	text = strings.ReplaceAll(strings.ReplaceAll(text, "--"+boundary+"\r\n", ""), "Content-Disposition: form-data", "D")
	return strings.ReplaceAll(kind, boundary, "B"), strings.ReplaceAll(text, "\r\n", "|"), c.Notes
}

// What curl 7.88 sends for the same value; seen on a server that shows its requests.
func TestCurlFormValues(t *testing.T) {
	for value, want := range map[string]string{
		`n="Ann"`:                            `D; name="n"||Ann|`,
		`n="A\"b\\c\d";type=text/x`:          `D; name="n"|Content-Type: text/x||A"b\c\d|`,
		`n="a;b"`:                            `D; name="n"||a;b|`,
		`n="open`:                            `D; name="n"||"open|`,
		`n="a" b`:                            `D; name="n"||a|`,
		`n= a b `:                            `D; name="n"||a b|`,
		`n=a;b`:                              `D; name="n"||a|`,
		`n=a,b`:                              `D; name="n"||a,b|`,
		`n=`:                                 `D; name="n"|||`,
		`=x`:                                 `D||x|`,
		`n=a; type=text/q;filename=f`:        `D; name="n"; filename="f"|Content-Type: text/q||a|`,
		`n=a;type=text/q; charset=u`:         `D; name="n"|Content-Type: text/q; charset=u||a|`,
		`n=a;filename=x.html`:                `D; name="n"; filename="x.html"|Content-Type: text/html||a|`,
		`n=a;headers="X-A: b";headers=Y: c`:  `D; name="n"|X-A: b|Y: c||a|`,
		`n=a;headers=@part.txt`:              `D; name="n"|X-One: 1  more|X-Two: 2||a|`,
		`n=@"a.txt"`:                         `D; name="n"; filename="a.txt"|Content-Type: text/plain||text|`,
		`n=@"q\"a b.txt"`:                    `D; name="n"; filename="q%22a b.txt"|Content-Type: text/plain||q|`,
		`n=@a.txt;filename="d/\"e\";f"`:      `D; name="n"; filename="d/%22e%22;f"|Content-Type: text/plain||text|`,
		`n=@a.txt;type=a/b;filename=`:        `D; name="n"; filename=""|Content-Type: a/b||text|`,
		`n=@a.txt;headers=Content-Type: q/r`: `D; name="n"; filename="a.txt"|Content-Type: q/r||text|`,
		`n=@body.json;filename=x.PDF`: `D; name="n"; filename="x.PDF"|Content-Type: application/pdf||` +
			"{\"a\":\n1}\n|",
		`n=@body.json`: `D; name="n"; filename="body.json"|Content-Type: application/octet-stream||` +
			"{\"a\":\n1}\n|",
		`n=<a.txt`:               `D; name="n"||text|`,
		`n=<"p.html";filename=x`: `D; name="n"|Content-Type: text/html||<p>|`,
		`n=@a.txt,p.html;filename=z`: `D; name="n"|Content-Type: multipart/mixed; boundary=I||` +
			`--I|Content-Disposition: attachment; filename="a.txt"|Content-Type: text/plain||text|` +
			`--I|Content-Disposition: attachment; filename="z"|Content-Type: text/html||<p>|--I--||`,
	} {
		_, got, _ := body(t, "curl http://h/ -F '"+value+"'")
		if _, rest, nested := strings.Cut(got, "mixed; boundary="); nested {
			inner, _, _ := strings.Cut(rest, "|")
			got = strings.ReplaceAll(got, inner, "I")
		}
		if got != want {
			t.Errorf("-F '%s':\n got %s\nwant %s", value, got, want)
		}
	}
	if _, got, _ := body(t,
		`curl h --form-string 'n="a";type=b' --form-string 'm=@x' --form-escape -F 'q"=1'`); got != `D; name="n"||"a";type=b|D; name="m"||@x|D; name="q\""||1|` {
		t.Errorf("plain texts became %s", got)
	}
}

// A form has one Content-Type, and its boundary is that of the body.
func TestCurlFormHasOneContentType(t *testing.T) {
	const form = `D; name="a"||x|`
	for header, want := range map[string][3]string{
		`-H 'Content-Type: multipart/form-data'`: {"<multipart/form-data; boundary=B>", form,
			""},
		`-H 'content-type:multipart/form-data;'`: {"<multipart/form-data; boundary=B>", form,
			""},
		`-H 'Content-Type: multipart/form-data; boundary=abc; charset=x'`: {"<multipart/form-data; charset=x; boundary=B>", form, "the boundary of -H is left out"},
		`-H 'Content-Type: multipart/form-data; boundary="a;b"'`: {"<multipart/form-data; boundary=B>", form,
			"the boundary of -H is left out"},
		`-H 'Content-Type: multipart/mixed'`: {"<multipart/mixed; boundary=B>",
			`Content-Disposition: attachment; name="a"||x|`, ""},
		`-H 'Content-Type: application/json'`: {"<application/json; boundary=B>",
			`Content-Disposition: attachment; name="a"||x|`,
			"the Content-Type is application/json and the body a form"},
		`-H 'Content-Type: multipart/form-data' -H 'Content-Type: a/b'`: {"<multipart/form-data; boundary=B>", form,
			"a second Content-Type is left out"},
	} {
		kind, got, notes := body(t, "curl h "+header+" -F a=x")
		if kind != want[0] || got != want[1] || !strings.Contains(fmt.Sprint(notes), want[2]) {
			t.Errorf("%s:\n got %s %s %q\nwant %q", header, kind, got, notes, want)
		}
	}
}

// The last option of HTTP versions counts, and a plain URL is not upgraded.
func TestCurlHTTPVersions(t *testing.T) {
	for line, want := range map[string]bool{
		`curl --http2 http://h`:                         false,
		`curl --http2 https://h`:                        true,
		`curl --http2-prior-knowledge http://h`:         true,
		`curl --http2-prior-knowledge --http2 http://h`: false,
		`curl --http2 --http2-prior-knowledge http://h`: true,
		`curl --http2 --http1.1 https://h`:              false,
	} {
		c, err := requests.ReadCurl(line, files)
		if err != nil || c.HTTP2 != want {
			t.Errorf("%s: %+v %v, want HTTP/2 %v", line, c, err, want)
		}
		if told := strings.Contains(fmt.Sprint(c.Notes),
			"HTTP/1.1 is spoken"); told != (!want && !strings.Contains(line, "http1.1")) {
			t.Errorf("%s: notes are %q", line, c.Notes)
		}
	}
}
