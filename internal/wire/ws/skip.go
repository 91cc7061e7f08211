package ws

import (
	"regexp"
	"strings"

	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/wire/answer"
)

// skip says which messages answer nothing: by a value in their JSON, or by an expression.
type skip struct {
	json  *answer.JSON
	regex *regexp.Regexp
}

// readSkips reads PATH, PATH=VALUE and ~EXPRESSION. Errors are *fail.Error of kind BadInput.
func readSkips(all []string) (skips []skip, err error) {
	for _, text := range all {
		var s skip
		if expression, ok := strings.CutPrefix(text, "~"); ok {
			s.regex, err = regexp.Compile(expression)
		} else {
			s.json, err = answer.NewJSON(text)
		}
		if err != nil || text == "~" {
			return nil, fail.New(fail.BadInput,
				"messages to be left out, %q: want PATH or PATH=VALUE in their JSON, or ~EXPRESSION", text).
				WithHint("for example --set ws.skip=event, --set ws.skip=type=tick or --set ws.skip='~^tick '; expressions are those of Go: https://pkg.go.dev/regexp/syntax")
		}
		skips = append(skips, s)
	}
	return skips, nil
}

// skip says that a whole message is to be left out.
func (p *protocol) skip(m *message) bool {
	for _, s := range p.skips {
		if s.regex != nil && s.regex.Match(m.body.Kept) || s.json != nil && s.json.Match(m.body.Kept) {
			return true
		}
	}
	return false
}
