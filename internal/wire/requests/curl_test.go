package requests_test

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/wire/requests"
)

// files stand for what @FILE names.
func files(name string) ([]byte, error) {
	all := map[string]string{"body.json": "{\"a\":\n1}\n", "heads.txt": "X-One: 1\n\nX-Two: 2\n", "bin": "\x00\r\n\xff",
		"a.txt": "text", "p.html": "<p>", "q\"a b.txt": "q", "sub/ü%&?.txt": "u",
		"part.txt": "X-One: 1\n  more\n# none\nX-Two: 2"}
	text, ok := all[name]
	if !ok {
		return nil, fail.New(fail.BadInput, "no file %s", name)
	}
	return []byte(text), nil
}

func shown(c *requests.Curl) string {
	return fmt.Sprintf("%s %s %q %q", c.Method, c.Target(), c.Headers, c.Body)
}

func TestCurl(t *testing.T) {
	const form = `"Content-Type: application/x-www-form-urlencoded"`
	for _, c := range []struct{ line, want string }{
		{`curl http://h:8080/a?b=c`, `GET http://h:8080/a?b=c ["Accept: */*"] ""`},
		{`curl h/a`, `GET http://h/a ["Accept: */*"] ""`},
		{`curl -d a=1 -d b=2 http://h`, `POST http://h/ ["Accept: */*" ` + form + `] "a=1&b=2"`},
		{`curl -d @body.json -H 'content-type: application/json' http://h`,
			`POST http://h/ ["Accept: */*" "content-type: application/json"] "{\"a\":1}"`},
		{`curl --data-raw @x http://h`, `POST http://h/ ["Accept: */*" ` + form + `] "@x"`},
		{`curl --data-binary @bin http://h`, `POST http://h/ ["Accept: */*" ` + form + `] "\x00\r\n\xff"`},
		{`curl --data-urlencode 'a=b c&d' --data-urlencode =x/y http://h`,
			`POST http://h/ ["Accept: */*" ` + form + `] "a=b%20c%26d&x%2Fy"`},
		{`curl -G -d a=1 --data-urlencode 'q=x y' 'http://h/s?z=0'`,
			`GET http://h/s?z=0&a=1&q=x%20y ["Accept: */*"] ""`},
		{`curl --json '{"a":{}}' http://h/j`,
			`POST http://h/j ["Content-Type: application/json" "Accept: application/json"] "{\"a\":{}}"`},
		{`curl -XPUT -T a.txt http://h/f`, `PUT http://h/f ["Accept: */*"] "text"`},
		{`curl -T a.txt http://h`, `PUT http://h/a.txt ["Accept: */*"] "text"`},
		{`curl -T a.txt 'http://h/dir/?v=1#top'`, `PUT http://h/dir/a.txt?v=1 ["Accept: */*"] "text"`},
		{`curl -T sub/ü%\&?.txt -X POST http://h/d//`, `POST http://h/d//%c3%bc%25%26%3f.txt ["Accept: */*"] "u"`},
		{`curl -T 'q"a b.txt' -G http://h/?a/`, `PUT http://h/q%22a%20b.txt?a/ ["Accept: */*"] "q"`},
		{`curl -T '' http://h/d/`, `GET http://h/d/ ["Accept: */*"] ""`},
		{`curl -I http://h`, `HEAD http://h/ ["Accept: */*"] ""`},
		{`curl -u me:se:cret http://h`, `GET http://h/ ["Accept: */*" "Authorization: Basic bWU6c2U6Y3JldA=="] ""`},
		{`curl http://me:x%40y@h/`, `GET http://h/ ["Accept: */*" "Authorization: Basic bWU6eEB5"] ""`},
		{`curl -b 'a=1; b=2' -A agent -e http://r/ --compressed http://h`,
			`GET http://h/ ["Accept: */*" "Cookie: a=1; b=2" "User-Agent: agent" "Referer: http://r/" "Accept-Encoding: deflate, gzip"] ""`},
		{`curl -H @heads.txt -H 'Accept:' -H 'X-Empty;' http://h`,
			`GET http://h/ ["X-One: 1" "X-Two: 2" "X-Empty:"] ""`},
		{`curl --unix-socket /run/a.sock http://h/x`, `GET unix:/run/a.sock:/x ["Accept: */*"] ""`},
		{`curl -sSLkX DELETE https://h/a%20b -m5`, `DELETE https://h/a%20b ["Accept: */*"] ""`},
		{`curl -g 'http://[::1]:80/{a}'`, `GET http://[::1]:80/%7Ba%7D ["Accept: */*"] ""`},
		{`curl --oauth2-bearer tok http://h`, `GET http://h/ ["Accept: */*" "Authorization: Bearer tok"] ""`},
	} {
		got, err := requests.ReadCurl(c.line, files)
		if err != nil {
			t.Errorf("%s: %v", c.line, err)
		} else if shown(got) != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.line, shown(got), c.want)
		}
	}
}

// What a browser copies: all that belongs to the connection is left out, and said.
func TestCurlOfABrowser(t *testing.T) {
	c, err := requests.ReadCurl(`curl 'https://shop.example/api/cart' \
  -H 'accept: application/json' \
  -H 'content-type: application/json' \
  -H 'connection: keep-alive' -H 'content-length: 9' \
  -b 'session=abc' \
  --data-raw $'{"name":"O\'Neil"}' \
  --compressed --insecure -L --max-time 3 -s -o /dev/null`, files)
	if err != nil {
		t.Fatal(err)
	}
	if want := `POST https://shop.example/api/cart ["accept: application/json" "content-type: application/json" "Cookie: session=abc" "Accept-Encoding: deflate, gzip"] "{\"name\":\"O'Neil\"}"`; shown(c) != want {
		t.Errorf("got %s\nwant %s", shown(c), want)
	}
	notes := strings.Join(c.Notes, "\n")
	for _, want := range []string{"--location: not taken: a redirect", "--max-time: not taken",
		"header connection is left out", "header content-length is left out", "--silent --output"} {
		if !strings.Contains(notes, want) {
			t.Errorf("no %q in the notes\n%s", want, notes)
		}
	}
	if !c.Insecure || c.HTTP2 {
		t.Errorf("insecure %v, HTTP/2 %v", c.Insecure, c.HTTP2)
	}
}

// net/http reads the form that -F makes.
func TestCurlForm(t *testing.T) {
	c, err := requests.ReadCurl(`curl -F name=Ann -F 'file=@a.txt;type=text/x;filename=b.txt' -F 'note=<a.txt' --form-string 'raw=@x;type=y' http://h/`, files)
	if err != nil {
		t.Fatal(err)
	}
	r, err := http.NewRequest(c.Method, c.Target(), strings.NewReader(string(c.Body)))
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range c.Headers {
		name, value, _ := strings.Cut(line, ": ")
		r.Header.Set(name, value)
	}
	if err := r.ParseMultipartForm(1 << 20); err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(r.PostForm); got != "map[name:[Ann] note:[text] raw:[@x;type=y]]" {
		t.Errorf("fields are %s", got)
	}
	f := r.MultipartForm.File["file"]
	if len(f) != 1 || f[0].Filename != "b.txt" || f[0].Header.Get("Content-Type") != "text/x" || f[0].Size != 4 {
		t.Errorf("files are %+v", f)
	}
}

func TestCurlRefuses(t *testing.T) {
	for line, want := range map[string]string{
		`curl`:                          "it has no URL",
		`curl a b`:                      `two URLs, "a" and "b"`,
		`curl ftp://h/`:                 "protocol ftp",
		`curl http://`:                  "names no host",
		`curl -x proxy http://h`:        "--proxy is not possible here",
		`curl --resolve h:80:1.2.3.4 h`: "--resolve is not possible",
		`curl --http3 https://h`:        "--http3",
		`curl -b cookies.txt h`:         "-b cookies.txt names a file",
		`curl -T x -T y h`:              `two files to send by -T, "x" and "y"`,
		`curl -T '{a,b}.txt' h`:         "pattern of several files",
		`curl -T 'a[1-3].txt' h`:        "pattern of several files",
		`curl -T a.txt -d b h`:          "-T is given with -d or -F",
		`curl -T a.txt -F b=c h`:        "-T is given with -d or -F",
		`curl -T a.txt -I h`:            "-I is given with a body",
		`curl -T - h`:                   "the file - is what is typed",
		`curl -d @- h`:                  "the file - is what is typed",
		`curl -F a=@- h`:                "the file - is what is typed",
		`curl -F 'a=<-' h`:              "the file - is what is typed",
		`curl -F 'a=@a.txt,none' h`:     "no file none",
		`curl -F 'a=(;type=multipart/mixed' -F '=)' h`: "a form in a form",
		`curl -F 'a=@a.txt;encoder=base64' h`:          "encoder=base64 is not possible",
		`curl -F 'a=b;type=plain' h`:                   `"plain" is not a media type`,
		`curl -F 'a=b;type=' h`:                        `"" is not a media type`,
		`curl -F 'a=b;headers=none' h`:                 `header "none" is not of the form`,
		`curl -F a=b -H 'Content-Type:' h`:             "-F needs a Content-Type",
		`curl -F a=b -H 'Content-Type;' h`:             "-F needs a Content-Type",
		`curl -F ` + "$'a=b;type=text/\\rx'" + ` h`:    "is not a media type",
		`curl -u me h`:                                 "would ask for the password",
		`curl -F a=b -d c h`:                           "-F and -d are both there",
		`curl -F a h`:                                  `-F "a" is not of the form`,
		`curl -d @none h`:                              "no file none",
		`curl --heade x h`:                             `did you mean --head`,
		`curl -H`:                                      "--header has no value",
		`curl -H nonsense h`:                           `header "nonsense" is not of the form`,
		`curl 'http://h/[1-9]'`:                        "pattern of several",
		`curl http://a --next http://b`:                "--next is not possible",
		`curl -% h`:                                    "does not know its option -%",
		`curl "http://h/$ID"`:                          "column 16: a shell would expand",
		`curl --digest -u a:b http://h`:                "--digest is not possible",
		`curl -E cert.pem https://h`:                   "--cert is not possible",
		`curl http://h --data-raw '@@@' -F`:            "--form has no value",
	} {
		_, err := requests.ReadCurl(line, files)
		var e *fail.Error
		if !errors.As(err, &e) || e.Kind != fail.BadInput || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", line, err, want)
		}
	}
}

// A command line is either read or refused as bad input, and what is read can be asked.
func FuzzCurl(f *testing.F) {
	f.Add(`curl -X POST 'http://h/a?b' -H 'A: b' -d $'x\n' --compressed`)
	f.Add(`curl -F a=@a.txt -u a:b https://h -sSL`)
	f.Add("curl -G --data-urlencode 'a b@a.txt' \\\n h")
	f.Fuzz(func(t *testing.T, line string) {
		c, err := requests.ReadCurl(line, files)
		if err != nil {
			var e *fail.Error
			if !errors.As(err, &e) || e.Kind != fail.BadInput {
				t.Errorf("%q: %v is not an input error", line, err)
			}
			return
		}
		if !strings.HasPrefix(c.Path, "/") || strings.ContainsAny(c.Path, " \n{}") || c.Method == "" || c.Host == "" {
			t.Errorf("%q: %s", line, shown(c))
		}
	})
}
