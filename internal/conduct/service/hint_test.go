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

// Where the port that hone took has nothing at the path, the hint names the others.
func TestHintsOfOtherPorts(t *testing.T) {
	r := lab.Task{Parts: spec.Parts{Load: spec.Load{Path: "/body/json"}},
		Command: spec.Line{"run", "./svc", "--path=/body/json"}}
	got := hintForPorts(r, []string{"http://127.0.0.1:8083/body/json", "http://127.0.0.1:8084/body/json"})
	const first = "another port of the program may have this path: " +
		"hone run ./svc --target http://127.0.0.1:8083/body/json; "
	const second = ": hone run ./svc --target http://127.0.0.1:8084/body/json; "
	if !strings.HasPrefix(got, first) || !strings.Contains(got, second) {
		t.Errorf("said %q", got)
	}
	if got := hintForPorts(r, nil); got != "" {
		t.Errorf("without others: %q", got)
	}
	for _, c := range []struct {
		answered uint64
		codes    []uint16
		want     bool
	}{{0, []uint16{404}, true}, {1, []uint16{404}, false}, {0, []uint16{404, 500}, false}, {0, []uint16{500}, false}} {
		counts := load.Counts{Answered: c.answered, Failed: uint64(len(c.codes))}
		for _, code := range c.codes {
			counts.WrongStatuses.Add(code, 1)
		}
		if onlyNotFound(counts) != c.want {
			t.Errorf("%+v: want %v", c, c.want)
		}
	}
}
