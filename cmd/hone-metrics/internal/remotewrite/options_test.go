package remotewrite

import (
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/gohone/hone/internal/text/fail"
)

func TestOptionFaults(t *testing.T) {
	for _, row := range []struct {
		options Options
		want    string
	}{
		{Options{}, ""},
		{Options{Protocol: "2.0", Labels: map[string]string{"a.b": "ü"}, Username: "u",
			Headers: map[string]string{"X-Scope-OrgID": "a\tb"}}, ""},
		{Options{Protocol: "3"}, `unknown protocol "3"`},
		{Options{Labels: map[string]string{"__name__": "x"}}, "cannot be called __name__"},
		{Options{Labels: map[string]string{"": "x"}}, `"" is not a name of a label`},
		{Options{Labels: map[string]string{"a\xff": "x"}}, "is not a name of a label"},
		{Options{Labels: map[string]string{"a": ""}}, "label a has no value"},
		{Options{Labels: map[string]string{"a": "\xff"}}, "label a is not UTF-8"},
		{Options{BearerToken: "t", Username: "u"}, "exclude each other"},
		{Options{BearerToken: "t\n"}, "bearer token has a line break"},
		{Options{Password: "p"}, "password without a user name"},
		{Options{Headers: map[string]string{"a b": "x"}}, `"a b" is not a name of a header`},
		{Options{Headers: map[string]string{"": "x"}}, `"" is not a name of a header`},
		{Options{Headers: map[string]string{"content-type": "x"}}, "Content-Type belongs to the protocol"},
		{Options{Headers: map[string]string{"authorization": "x"}, Username: "u"}, "Authorization together with"},
		{Options{Headers: map[string]string{"A": "x\r\nB: y"}}, "value of header A"},
		{Options{Timeout: -1}, "negative"},
		{Options{Retries: -1}, "negative"},
		{Options{BatchSamples: 2001}, "at most 2000"},
		{Options{BatchSamples: -1}, "at most 2000"},
	} {
		err := row.options.Validate()
		if (err == nil) != (row.want == "") || err != nil && !strings.Contains(err.Error(), row.want) {
			t.Errorf("%+v: %v, want %q", row.options, err, row.want)
		}
		if row.want != "" {
			_, err = Push(t.Context(), somewhere, one(base), selected(1, "up"), row.options)
			wantFault(t, err, fail.BadInput, row.want, "")
		}
	}
	if err := (Options{Protocol: "3", Retries: -1, Password: "p"}).Validate(); strings.Count(err.Error(), "\n") != 2 {
		t.Errorf("not all faults at once: %v", err)
	}
}

func TestSelectionFaults(t *testing.T) {
	for _, row := range []struct {
		change func(*Selection)
		want   string
	}{
		{func(s *Selection) { s.From = time.Time{} }, "needs a start and an end"},
		{func(s *Selection) { s.To = time.Time{} }, "needs a start and an end"},
		{func(s *Selection) { s.To = s.From.Add(-1) }, "before it starts"},
		{func(s *Selection) { s.Matchers = nil }, "needs a matcher"},
	} {
		s := selected(2, "up")
		row.change(&s)
		_, err := Push(t.Context(), somewhere, one(base), s, Options{})
		wantFault(t, err, fail.BadInput, row.want, "")
	}
}

func TestEndpointFaults(t *testing.T) {
	for _, text := range []string{"", "host:9090", "ftp://host/x", "/api/v1/write", "http://", "http:///x",
		"http://h:port/", "http://u:secret@[::1/", "://x", "http://h/\x7f"} {
		_, err := Push(t.Context(), text, one(base), selected(1, "up"), Options{})
		wantFault(t, err, fail.BadInput, "read address of the store", "")
		if err != nil && strings.Contains(err.Error(), "secret") {
			t.Errorf("%q: the password is in %v", text, err)
		}
	}
}

// Whatever an address, nothing but http goes out, and a password stays out of errors.
func FuzzEndpoint(f *testing.F) {
	for _, text := range []string{somewhere, "https://u:p@h/x?y=z", "http://[::1]:9090", "ftp://h", "",
		"http://h:port"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		u, err := parseEndpoint(text)
		if err == nil && (u.Scheme != "http" && u.Scheme != "https" || u.Host == "") {
			t.Errorf("%q: %s", text, u)
		}
	})
}

// A receiver's message and its waits are a stranger's input.
func FuzzAnswers(f *testing.F) {
	f.Add([]byte("out of order sample\n"), "7")
	f.Add([]byte("\x1b[2J \u009b2J"), "-1")
	f.Add([]byte("\xff\x00 <html>\r\n"), "Fri, 02 Jan 1970 00:00:00 GMT")
	f.Fuzz(func(t *testing.T, message []byte, wait string) {
		if got := string(printable(message)); strings.ContainsFunc(got, unicode.IsControl) || len(got) > len(message) {
			t.Errorf("%q became %q", message, got)
		}
		if d, err := time.ParseDuration(bounded(wait) + "s"); err != nil || d < 0 || d > maxWait {
			t.Errorf("%q became %s, %v", wait, d, err)
		}
	})
}
