package schemes_test

import (
	"errors"
	"testing"

	"github.com/gohone/hone/internal/wire"
	"github.com/gohone/hone/internal/wire/schemes"
)

// Guard is asked before anything is sent, over TCP and over UDP.
func TestGuardRefuses(t *testing.T) {
	refused := errors.New("refused")
	for want, o := range map[string]wire.Options{"tcp4": {}, "udp4": {HTTP3: true}} {
		target, err := schemes.Parse("https://127.0.0.1:1/", o)
		if err != nil {
			t.Fatal(err)
		}
		asked := ""
		target.Guard = func(network, address string) error {
			asked = network + " " + address
			return refused
		}
		if _, err := target.Dialer(nil)(t.Context()); !errors.Is(err, refused) || asked != want+" 127.0.0.1:1" {
			t.Errorf("guard was asked for %q: %v", asked, err)
		}
	}
}
