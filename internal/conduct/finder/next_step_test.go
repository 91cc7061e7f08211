package finder

import (
	"strings"
	"testing"

	"github.com/gohone/hone/internal/program/build"
	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/wire/recognise"
)

// Next steps fit the protocol that was seen, also one that hone does not load.
func TestNextSteps(t *testing.T) {
	service := func(path, source string, more ...string) *Program {
		return &Program{Spec: &spec.Parts{Load: spec.Load{Path: path}},
			Command: append(spec.Line{"run", source}, more...),
			Binary:  &build.Binary{Variant: build.Variant{Source: source}}}
	}
	p := service("/x", "./svc")
	mutual := recognise.Seen{Protocol: recognise.TLS, Encrypted: true, WantsCertificate: true}
	next := p.NextStep(mutual, "{port}", nil)
	want := "hone run ./svc --target 'https://127.0.0.1:{port}/x' --set tls.cert=CLIENT.pem --set tls.key=KEY.pem"
	if strings.Contains(next, "cannot") || !strings.HasSuffix(next, ": "+want) {
		t.Errorf("a port that wants a certificate: %s, want %s", next, want)
	}
	p.Spec.Protocol.TLS.Cert = "c.pem"
	if next := p.NextStep(mutual, "1", nil); strings.Contains(next, "tls.cert=") {
		t.Errorf("a request with a certificate: %s", next)
	}
	next = service("", "./broker", "--path=/x").NextStep(recognise.Seen{Protocol: recognise.MQTT}, "1883", nil)
	for _, want := range []string{"hone cannot load MQTT yet", "a load generator of your own can (--load-cmd",
		": hone watch ./broker"} {
		if !strings.Contains(next, want) {
			t.Errorf("the next step lacks %q: %s", want, next)
		}
	}
}
