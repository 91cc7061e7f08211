// Command framed is a subject of the calibration: the batched stage of the framed
// server, which spins -spin iterations more for each request that it answers.
//
//	framed -addr 127.0.0.1:8888 -spin 0
//
// It ends on SIGINT and SIGTERM. The exit code is 0 after such an end, 2 for bad flags,
// 1 for anything else.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"net"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/gohone/hone/bench/calibrate/spin"
	"github.com/gohone/hone/services/framed"
)

// grace is how long a shutdown waits for clients that do not read their answers.
const grace = 2 * time.Second

func main() {
	fs := flag.NewFlagSet("framed", flag.ExitOnError)
	addr := fs.String("addr", "127.0.0.1:8888", "`host:port` to listen on; port 0 takes a free one")
	iterations := spin.Flag(fs)
	fs.Parse(os.Args[1:]) // ends the process on a fault
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := serve(ctx, *addr, *iterations)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "framed:", err)
		os.Exit(1)
	}
}

// serve listens on addr, says where on stderr, and serves until ctx ends.
func serve(ctx context.Context, addr string, iterations int) error {
	server, err := framed.New(framed.Config{Stage: "batched"})
	if err != nil {
		return err
	}
	ln, err := net.Listen("tcp", addr)
	if err != nil {
		return err // says which address
	}
	fmt.Fprintln(os.Stderr, "listening on", ln.Addr())
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
