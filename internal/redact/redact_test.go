package redact

import (
	"slices"
	"strings"
	"testing"
	"time"
)

func TestURL(t *testing.T) {
	for target, want := range map[string]string{
		"":                                       "",
		"http://h/items":                         "http://h/items",
		"http://user:S3CRET@h:80/items":          "http://***@h:80/items",
		"https://S3CRET@h/":                      "https://***@h/",
		"http://u:S3@CRET@h/a@b":                 "http://***@h/a@b",
		"http://u:S3/CRET@h/":                    "http://***@h/",
		"http://u:S3?CRET@h/":                    "http://***@h/",
		"http://u:S3#CRET@h/":                    "http://***@h/",
		"http://h/a?token=S3CRET&page=2":         "http://h/a?token=***&page=***",
		"http://h/a?S3CRET":                      "http://h/a?***",
		"http://h/a?x=&y={id}&{pair}":            "http://h/a?x=&y={id}&{pair}",
		"http://h/a?x={id}S3CRET;z=S3CRET":       "http://h/a?x=***;z=***",
		"http://h?a=S3CRET":                      "http://h?a=***",
		"http://h/a#S3CRET":                      "http://h/a#***",
		"http://127.0.0.1:{port}/items":          "http://127.0.0.1:{port}/items",
		"http://[::1]:8080/a":                    "http://[::1]:8080/a",
		"http://u:S3CRET@[::1]/":                 "http://***@[::1]/",
		"unix:/run/app.sock:/items?token=S3CRET": "unix:/run/app.sock:/items?token=***",
		"framed://u:S3CRET@127.0.0.1:4000":       "framed://***@127.0.0.1:4000",
		"u:S3CRET@h:80":                          "***@h:80",
		"http://host:port/path":                  "http://host:port/path",
		"localhost:6060":                         "localhost:6060",
	} {
		if got := URL(target); got != want {
			t.Errorf("URL(%q) = %q, want %q", target, got, want)
		}
		if got := URL(want); got != want {
			t.Errorf("URL(%q) = %q, want the same again", want, got)
		}
	}
}

func TestText(t *testing.T) {
	for text, want := range map[string]string{
		`Get "http://u:S3CRET@h/x?k=S3CRET": dial tcp: refused`: `Get "http://***@h/x?k=***": dial tcp: refused`,
		`see (http://u:S3CRET@h/).`:                             `see (http://***@h/).`,
		`hone load 'http://h/?a=S3CRET' --rate 5`:               `hone load 'http://h/?a=***' --rate 5`,
		`-ldflags=-X main.apiToken=S3CRET -X main.size=5`:       `-ldflags=-X main.apiToken=*** -X main.size=5`,
		`DB_PASSWORD="S3 CRET" GOGC=50`:                         `DB_PASSWORD=*** GOGC=50`,
		`authorization: Bearer S3CRET`:                          `authorization: ***`,
		`header "Cookie: a=S3CRET; b" refused`:                  `header "Cookie: ***" refused`,
		`unexpected token: {`:                                   `unexpected token: {`,
		`monkey=1 keyboard=2 sort.Slice a=b`:                    `monkey=1 keyboard=2 sort.Slice a=b`,
		`dsn=postgres://u:S3CRET@db/x`:                          `dsn=***`,
	} {
		if got := Text(text); got != want {
			t.Errorf("Text(%q) = %q, want %q", text, got, want)
		}
	}
}

func TestArgs(t *testing.T) {
	words := []string{"-addr", ":80", "-password=S3CRET", "--api-key", "S3CRET", "-token", "-v", "--upstream=http://u:S3CRET@h/", "postgres://u:S3CRET@h/db",
		"-dbPass=S3CRET", "API_KEY=S3CRET", "-keys=3", "-key", "***"}
	want := []string{"-addr", ":80", "-password=***", "--api-key", "***", "-token", "-v", "--upstream=http://***@h/", "postgres://***@h/db",
		"-dbPass=***", "API_KEY=***", "-keys=3", "-key", "***"}
	before := slices.Clone(words)
	if got := Args(words); !slices.Equal(got, want) {
		t.Errorf("%q\nwant %q", got, want)
	}
	if !slices.Equal(words, before) {
		t.Errorf("the arguments were changed: %q", words)
	}
}

func TestHeaders(t *testing.T) {
	got := Headers([]string{"Authorization: Bearer S3CRET", "accept: */*", "COOKIE:S3CRET", "X-Anything : S3CRET", "  Cookie a=S3CRET", "Content-Type: text/plain", "S3CRETLESS"})
	want := []string{"Authorization: ***", "accept: */*", "COOKIE: ***", "X-Anything: ***", "Cookie: ***", "Content-Type: text/plain", "S3CRETLESS: ***"}
	if !slices.Equal(got, want) {
		t.Errorf("%q\nwant %q", got, want)
	}
}

func TestEnv(t *testing.T) {
	one, other := Env{Key: []byte("one")}, Env{Key: []byte("other")}
	entries := []string{"PASSWORD=S3CRET-S3CRET", "GOGC=50", "EMPTY=", "PORT={port}", "ADDR=127.0.0.1:{port}", "MODE=fast", "A=B=C"}
	got := one.Entries(entries)
	for i, name := range map[int]string{0: "PASSWORD", 5: "MODE", 6: "A"} {
		if value, ok := strings.CutPrefix(got[i], name+"=hmac:"); !ok || len(value) != 12 {
			t.Errorf("%q", got[i])
		}
	}
	if !slices.Equal(got[1:5], entries[1:5]) {
		t.Errorf("%q", got)
	}
	if again := one.Entries(entries); !slices.Equal(again, got) {
		t.Errorf("equal environments are not told to be: %q and %q", got, again)
	}
	if one.Entries([]string{"MODE=slow"})[0] == got[5] || one.Entries([]string{"OTHER=fast"})[0] == "OTHER="+strings.TrimPrefix(got[5], "MODE=") {
		t.Error("different entries have the same hash")
	}
	if other.Entries(entries)[0] == got[0] {
		t.Error("the hash does not depend on the key")
	}
	if kept := (Env{Keep: true}).Entries(entries); !slices.Equal(kept, entries) {
		t.Errorf("not kept: %q", kept)
	}
	text := one.Text(entries)("PASSWORD=S3CRET-S3CRET ./x failed: cannot log in with S3CRET-S3CRET in MODE=fast, fast")
	if want := got[0] + " ./x failed: cannot log in with *** in " + got[5] + ", fast"; text != want {
		t.Errorf("%q, want %q", text, want)
	}
	if Entry("A=b") != "A=***" || Entry("GOGC=5") != "GOGC=5" || Entry("A=") != "A=" {
		t.Error(Entry("A=b"), Entry("GOGC=5"), Entry("A="))
	}
	if !Partial(got[0]) || !Partial("x=***") || Partial("GOGC=50 ./x") {
		t.Error("Partial")
	}
}

func TestStrings(t *testing.T) {
	type part struct{ Text string }
	type document struct {
		Name  string
		Parts []part
		By    map[string]*part
		At    time.Time
		Any   *string
		None  *part
		own   string
	}
	text := "a"
	d := document{Name: "a", Parts: []part{{"a"}}, By: map[string]*part{"a": {"a"}}, At: time.Unix(1, 0), Any: &text, own: "a"}
	got := Strings(d, strings.ToUpper)
	if got.Name != "A" || got.Parts[0].Text != "A" || got.By["a"].Text != "A" || *got.Any != "A" || got.None != nil || got.own != "a" || !got.At.Equal(d.At) {
		t.Errorf("%+v", got)
	}
	if d.Name != "a" || d.Parts[0].Text != "a" || d.By["a"].Text != "a" || text != "a" {
		t.Errorf("the document was changed: %+v", d)
	}
}

// FuzzURL: whatever password, parameter and path there are, the password and the value of the
// parameter are gone, and what is left stays as it is.
func FuzzURL(f *testing.F) {
	f.Add("pa:ss", "value", "path")
	f.Add("p/@?#", "a&b=c", "?x@y")
	f.Fuzz(func(t *testing.T, password, value, path string) {
		const secret = "S3CRET"
		if strings.ContainsAny(password, "/?#") {
			return // what is before may be a host for every reader; TestURL has the clear cases
		}
		for _, target := range []string{
			"http://user:" + password + secret + "@host/" + path,
			"http://" + secret + password + "@host/",
			"http://host/?name=" + secret + value,
		} {
			got := URL(target)
			if strings.Contains(strings.TrimSuffix(got, path), secret) && !strings.Contains(path, secret) {
				t.Fatalf("URL(%q) = %q", target, got)
			}
			if again := URL(got); again != got {
				t.Fatalf("URL(%q) = %q, want the same", got, again)
			}
		}
	})
}
