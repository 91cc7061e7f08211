package lab

import (
	"strings"
	"testing"

	"github.com/gohone/hone/internal/program/build"
	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/wire/recognise"
	"github.com/gohone/hone/load"
)

// Next steps fit what was seen: a WebSocket that sends by itself, a protocol that hone does not load.
func TestNextSteps(t *testing.T) {
	r := Task{Parts: spec.Parts{Load: spec.Load{Target: "ws://127.0.0.1:1/"}},
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
	r = Task{Parts: spec.Parts{Load: spec.Load{Path: "/x"}}, Command: spec.Line{"run", "./svc"}}
	mutual := recognise.Seen{Protocol: recognise.TLS, Encrypted: true, WantsCertificate: true}
	next := NextFor(r, build.Variant{Source: "./svc"}, mutual, "{port}", nil)
	want := "hone run ./svc --target 'https://127.0.0.1:{port}/x' --set tls.cert=CLIENT.pem --set tls.key=KEY.pem"
	if strings.Contains(next, "cannot") || !strings.HasSuffix(next, ": "+want) {
		t.Errorf("a port that wants a certificate: %s, want %s", next, want)
	}
	r.Protocol.TLS.Cert = "c.pem"
	if next := NextFor(r, build.Variant{Source: "./svc"}, mutual, "1", nil); strings.Contains(next, "tls.cert=") {
		t.Errorf("a request with a certificate: %s", next)
	}
	d = load.Doubt{Name: load.DoubtWrong, Text: "replies wrong or lost: 9 of 9: wrong status 503 9"}
	if hint := HintFor(r, d, "http://127.0.0.1:1/x", "abc"); !strings.Contains(hint,
		": hone run ./svc --ready http:/x") {
		t.Errorf("503: %s", hint)
	}
	r = Task{Command: spec.Line{"run", "./broker", "--path=/x"}}
	next = NextFor(r, build.Variant{Source: "./broker"}, recognise.Seen{Protocol: recognise.MQTT}, "1883", nil)
	for _, want := range []string{"hone cannot load MQTT yet", "a load generator of your own can (--load-cmd",
		": hone watch ./broker"} {
		if !strings.Contains(next, want) {
			t.Errorf("the next step lacks %q: %s", want, next)
		}
	}
}
