package loadcmd

import (
	"strings"
	"testing"

	"github.com/prometheus/prometheus/model/labels"
)

// Prometheus' parser reads the same, and refuses the same but selectors of any name.
func TestSelectors(t *testing.T) {
	for selector, want := range map[string]string{
		"up":                             `__name__="up"`,
		" a:b{} ":                        `__name__="a:b"`,
		`requests{code="200"}`:           `__name__="requests",code="200"`,
		`r{ code =~ "2..", path!="/x",}`: `__name__="r",code=~"2..",path!="/x"`,
		`{__name__="r",a!~'b"c'}`:        `__name__="r",a!~"b\"c"`,
		`{"http.requests", "a b"="c"}`:   `__name__="http.requests","a b"="c"`,
		"r{a=`b\\d`}":                    `__name__="r",a="b\\d"`,
		`r{a="b\"c,}"}`:                  `__name__="r",a="b\"c,}"`,
	} {
		all, err := matchers(selector)
		if text := joined(all); err != nil || text != want {
			t.Errorf("%s: %s, %v, want %s", selector, text, err, want)
		}
	}
	for selector, want := range map[string]string{
		"":                    "matches series of any name",
		"{}":                  "matches series of any name",
		`{a=""}`:              "matches series of any name",
		`{a=~".*"}`:           "matches series of any name",
		"9x":                  "is not the name",
		"a b":                 "is not the name",
		"up{":                 "does not end with }",
		`up{a="b"} 1`:         "does not end with }",
		"up{a=b}":             `a label is written as name="value"`,
		`up{a="b" c}`:         `a label is written as name="value"`,
		`up{,}`:               `a label is written as name="value"`,
		`up{a=~"("}`:          "missing closing )",
		`up{a="\q"}`:          "invalid syntax",
		`sum(up{a="b"` + `})`: "is not the name",
	} {
		if _, err := matchers(selector); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", selector, err, want)
		}
	}
}

// What is read is read again as it is printed.
func FuzzSelector(f *testing.F) {
	for _, s := range []string{"up", `r{code=~"2..",path!="/x",}`, "{\"a b\", c!~'d'}", "r{a=`b`}"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, selector string) {
		all, err := matchers(selector)
		if err != nil {
			return
		}
		printed := "{" + joined(all) + "}"
		if again, err := matchers(printed); err != nil || joined(again) != joined(all) {
			t.Errorf("%s, printed as %s: %v, %v", selector, printed, again, err)
		}
	})
}

func joined(all []*labels.Matcher) string {
	var words []string
	for _, m := range all {
		words = append(words, m.String())
	}
	return strings.Join(words, ",")
}
