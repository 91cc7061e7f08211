// Command encrypted is a subject of the calibration: the last stage of the visitor counter over TLS with a certificate
// of its own, which spins -spin iterations more for each visit that it answers.
//
//	encrypted -addr 127.0.0.1:8443 -spin 0
package main

import (
	"context"
	"crypto/tls"
	"net"

	"github.com/gohone/hone/bench/calibrate/spin"
	"github.com/gohone/hone/services/tlsidle"
	"github.com/gohone/hone/services/visits"
)

func main() { spin.Main(serve) }

func serve(ctx context.Context, ln net.Listener, iterations int) error {
	certificate, err := tlsidle.SelfSigned()
	if err != nil {
		return err
	}
	stage, err := visits.LookupStage(visits.DefaultStage)
	if err != nil {
		return err
	}
	counter, err := stage.New(visits.Config{})
	if err != nil {
		return err
	}
	over := tls.NewListener(ln, &tls.Config{Certificates: []tls.Certificate{*certificate}, MinVersion: tls.VersionTLS13})
	return visits.Serve(ctx, over, spin.Handler(counter, iterations))
}
