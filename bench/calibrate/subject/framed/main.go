// Command framed is a subject of the calibration: the batched stage of the framed
// server, which spins -spin iterations more for each request that it answers.
//
//	framed -addr 127.0.0.1:8888 -spin 0
package main

import (
	"context"
	"errors"
	"net"
	"time"

	"github.com/gohone/hone/bench/calibrate/spin"
	"github.com/gohone/hone/services/framed"
)

// grace is how long a shutdown waits for clients that do not read their answers.
const grace = 2 * time.Second

func main() { spin.Main(serve) }

func serve(ctx context.Context, ln net.Listener, iterations int) error {
	server, err := framed.New(framed.Config{Stage: "batched"})
	if err != nil {
		return err
	}
	served := make(chan error, 1)
	go func() { served <- server.Serve(spin.Listener(ln, iterations, framed.AckSize)) }() // ends with Shutdown, below
	select {
	case err = <-served:
	case <-ctx.Done():
	}
	deadline, cancel := context.WithTimeout(context.Background(), grace)
	defer cancel()
	return errors.Join(err, server.Shutdown(deadline))
}
