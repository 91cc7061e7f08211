package requests_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/wire/requests"
)

func TestWordsAreSplitAsAShellDoes(t *testing.T) {
	for _, c := range []struct{ line, want string }{
		{`curl 'a b' "c \"d\" \n" e\ f`, `["curl" "a b" "c \"d\" \\n" "e f"]`},
		{"curl \\\n  -X POST \\\r\n http://h", `["curl" "-X" "POST" "http://h"]`},
		{`$'a\'b\n\u00e9\x41\101\\'`, `["a'b\né` + "AA" + `\\"]`},
		{`'' "" x''y`, `["" "" "xy"]`},
		{`a"$5.00"`, ""},
		{`"cost: $ 5"`, `["cost: $ 5"]`},
		{"a # b\nc", `["a" "c"]`},
		{"a#b", `["a#b"]`},
		{"", "[]"},
	} {
		words, err := requests.Words(c.line)
		if got := fmt.Sprintf("%q", words); c.want == "" && err == nil ||
			c.want != "" && (err != nil || got != c.want) {
			t.Errorf("%q: got %s, %v, want %s", c.line, got, err, c.want)
		}
	}
}

func TestWordsRefuseWhatOnlyAShellKnows(t *testing.T) {
	for line, want := range map[string]string{
		`curl "$URL"`:         `column 7: a shell would expand "$URL"`,
		"curl $(cat x)":       `column 6: a shell would expand "$(cat"`,
		"curl `cat`":          "column 6: a shell would expand",
		"curl h | jq":         `column 8: "|" ends the command`,
		"curl h; rm -r x":     `column 7: ";" ends the command`,
		"curl h?a=1&b=2":      `column 11: "&" ends the command`,
		"curl 'a":             "column 6: the quote ' is not closed",
		`curl "a`:             `column 6: the quote " is not closed`,
		`curl $'a`:            "column 6: the quote $' is not closed",
		`curl $'\x'`:          `column 8: the escape \x has no digits`,
		`curl ^"http://h/^"`:  "column 6: this is quoted for Windows",
		"curl 'é' \"$A\"":     `column 11: a shell would expand "$A"`,
		"curl ^\r\n http://h": "Windows",
	} {
		_, err := requests.Words(line)
		if err == nil || !strings.Contains(err.Error(), want) || fail.HintOf(err) == "" {
			t.Errorf("%q: %v (hint %q), want %q and a hint", line, err, fail.HintOf(err), want)
		}
	}
}
