package protocol

import (
	"regexp"
	"strings"

	"github.com/gohone/hone/internal/fail"
)

// webSocketSkip says which messages answer nothing: by a value in their JSON, or by an expression.
type webSocketSkip struct {
	json  *httpJSON
	regex *regexp.Regexp
}

// readWebSocketSkips reads PATH, PATH=VALUE and ~EXPRESSION. Errors are *fail.Error of kind BadInput.
func readWebSocketSkips(all []string) (skips []webSocketSkip, err error) {
	for _, text := range all {
		var s webSocketSkip
		if expression, ok := strings.CutPrefix(text, "~"); ok {
			s.regex, err = regexp.Compile(expression)
		} else {
			s.json, err = newHTTPJSON(text)
		}
		if err != nil || text == "~" {
			return nil, fail.New(fail.BadInput, "messages to be left out, %q: want PATH or PATH=VALUE in their JSON, or ~EXPRESSION", text).
				WithHint("for example --ws-skip event, --ws-skip type=tick or --ws-skip '~^tick '; expressions are those of Go: https://pkg.go.dev/regexp/syntax")
		}
		skips = append(skips, s)
	}
	return skips, nil
}

// skip says that a whole message is to be left out.
func (p *webSocket) skip(m *webSocketMessage) bool {
	for _, s := range p.skips {
		if s.regex != nil && s.regex.Match(m.body.kept) || s.json != nil && s.json.match(m.body.kept) {
			return true
		}
	}
	return false
}
