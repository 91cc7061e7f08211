package service

import (
	"strings"
	"testing"

	"github.com/gohone/hone/internal/conduct/lab"
	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/load"
)

// Hints fit what was seen, such as a WebSocket that sends by itself.
func TestHints(t *testing.T) {
	r := lab.Task{Parts: spec.Parts{Load: spec.Load{Target: "ws://127.0.0.1:1/"}},
		Command: spec.Line{"run", ".", "--target=ws://127.0.0.1:1/", "--body=x"}}
	d := load.Doubt{Name: load.DoubtWrong,
		Text: "replies wrong or lost: 0 of 9, and 12 that belong to no request: unsolicited 12"}
	push := HintFor(r, d, r.Target, "abc")
	for _, want := range []string{
		"as a server does that broadcasts", "--set ws.skip=event",
		`hone run . --target ws://127.0.0.1:1/ --body '{"id": {n}}' --set ws.id=id`,
		"hone run . --target ws://127.0.0.1:1/ --body x --set stream.messages=100",
	} {
		if !strings.Contains(push, want) {
			t.Errorf("the hint lacks %q: %s", want, push)
		}
	}
	if d.Text = "replies wrong or lost: 9 of 9: malformed 9"; strings.Contains(HintFor(r, d, r.Target, "abc"),
		"broadcasts") {
		t.Error("malformed answers are taken for broadcasts")
	}
	r = lab.Task{Parts: spec.Parts{Load: spec.Load{Path: "/x"}}, Command: spec.Line{"run", "./svc"}}
	d = load.Doubt{Name: load.DoubtWrong, Text: "replies wrong or lost: 9 of 9: wrong status 503 9"}
	if hint := HintFor(r, d, "http://127.0.0.1:1/x", "abc"); !strings.Contains(hint,
		": hone run ./svc --ready http:/x") {
		t.Errorf("503: %s", hint)
	}
	for text, want := range map[string]bool{"wrong status 9 (500: 9)": true, "wrong status 9 (404: 8; 502: 1)": true,
		"wrong status 500 (404: 500)": false} {
		d.Text = "replies wrong or lost: 9 of 9: " + text
		if hint := HintFor(r, d, "http://127.0.0.1:1/x", "abc"); strings.Contains(hint,
			": hone run ./svc --ready log:TEXT") != want {
			t.Errorf("%s: want --ready %v: %s", text, want, hint)
		}
	}
}
