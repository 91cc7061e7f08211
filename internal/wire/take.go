package wire

import (
	"regexp"
	"strings"

	"golang.org/x/net/http/httpguts"

	"github.com/gohone/hone/internal/text/fail"
)

// Take says where in an answer a value stands, and what it is called. One of JSON, Header,
// Cookie and Regex is set, or Header and Regex: the expression is then for the header.
type Take struct {
	Name   string `json:"name"`
	JSON   string `json:"json,omitempty"`   // a path of tidwall/gjson in the body
	Header string `json:"header,omitempty"` // the first header of that name
	Cookie string `json:"cookie,omitempty"` // of Set-Cookie
	Regex  string `json:"regex,omitempty"`  // with one group, for the body
	HTML   bool   `json:"html,omitempty"`   // the body is HTML: references in what Regex finds are decoded (&amp; is &)
}

// takeForms is how a hint says what ParseTake reads.
const takeForms = "write json PATH, header NAME, cookie NAME, regex EXPRESSION, html EXPRESSION, or header NAME ~ EXPRESSION"

// ParseTake reads what a user writes behind the name of a value: "json data.token", "header X-Token", "cookie session",
// "regex token=([a-z]+)", "html name=\"csrf\" value=\"([^\"]*)\"", "header Location ~ /items/([0-9]+)". Errors are
// *fail.Error of kind BadInput.
func ParseTake(name, text string) (Take, error) {
	kind, rest, _ := strings.Cut(strings.TrimSpace(text), " ")
	rest = strings.TrimSpace(rest)
	t := Take{Name: name}
	switch {
	case rest == "":
		return t, fail.New(fail.BadInput, "take %s: %q does not say where the value is", name, text).WithHint(takeForms)
	case kind == "json":
		t.JSON = rest
	case kind == "cookie":
		t.Cookie = rest
	case kind == "regex", kind == "html":
		t.Regex, t.HTML = rest, kind == "html"
	case kind == "header":
		header, expression, matched := strings.Cut(rest, "~")
		t.Header, t.Regex = strings.TrimSpace(header), strings.TrimSpace(expression)
		if matched && t.Regex == "" {
			return t, fail.New(fail.BadInput, "take %s: nothing stands after ~", name).WithHint(takeForms)
		}
	default:
		return t, fail.New(fail.BadInput, "take %s: %q is not a place in an answer", name, kind).WithHint(takeForms)
	}
	return t, t.Check()
}

// Check says what is wrong with a Take.
func (t Take) Check() error {
	set := 0
	for _, text := range []string{t.JSON, t.Header, t.Cookie} {
		if text != "" {
			set++
		}
	}
	switch {
	case !IsWord(t.Name) || "{"+t.Name+"}" == PortTemplate:
		return fail.New(fail.BadInput, "take: %q is not the name of a value",
			t.Name).WithHint("names have letters, digits, _ . - and are not port")
	case set > 1 || set == 0 && t.Regex == "" || t.Regex != "" && (t.JSON != "" || t.Cookie != ""):
		return fail.New(fail.BadInput, "take %s: want one place in the answer", t.Name).WithHint(takeForms)
	case t.Header != "" && !httpguts.ValidHeaderFieldName(t.Header),
		t.Cookie != "" && !httpguts.ValidHeaderFieldName(t.Cookie):
		return fail.New(fail.BadInput, "take %s: %q is not the name of a header or a cookie", t.Name,
			t.Header+t.Cookie).WithHint(takeForms)
	}
	if t.Regex == "" {
		return nil
	}
	rx, err := regexp.Compile(t.Regex)
	if err != nil {
		return fail.New(fail.BadInput, "take %s: %w", t.Name,
			err).WithHint("expressions are those of Go: https://pkg.go.dev/regexp/syntax")
	}
	if rx.NumSubexp() != 1 {
		return fail.New(fail.BadInput, "take %s: %q has %d groups, want 1", t.Name, t.Regex, rx.NumSubexp()).
			WithHint("put what is to be taken in (...), and other groups in (?:...)")
	}
	return nil
}
