// Command visits is a subject of the calibration: the last stage of the visitor counter,
// which spins -spin iterations more for each visit that it answers.
//
//	visits -addr 127.0.0.1:8080 -spin 0
package main

import (
	"context"
	"net"

	"github.com/gohone/hone/bench/calibrate/spin"
	"github.com/gohone/hone/services/visits"
)

func main() { spin.Main(serve) }

func serve(ctx context.Context, ln net.Listener, iterations int) error {
	stage, err := visits.LookupStage(visits.DefaultStage)
	if err != nil {
		return err
	}
	counter, err := stage.New(visits.Config{})
	if err != nil {
		return err
	}
	return visits.Serve(ctx, ln, spin.Handler(counter, iterations))
}
