// Command visits is a subject of the calibration: the last stage of the visitor counter,
// which spins -spin iterations more for each visit that it answers.
//
//	visits -addr 127.0.0.1:8080 -spin 0
//
// It ends on SIGINT and SIGTERM. The exit code is 0 after such an end, 2 for bad flags,
// 1 for anything else.
package main

import (
	"context"
	"flag"
	"fmt"
	"net"
	"os"
	"os/signal"
	"syscall"

	"github.com/gohone/hone/bench/calibrate/spin"
	"github.com/gohone/hone/services/visits"
)

func main() {
	fs := flag.NewFlagSet("visits", flag.ExitOnError)
	addr := fs.String("addr", "127.0.0.1:8080", "`host:port` to listen on; port 0 takes a free one")
	iterations := spin.Flag(fs)
	fs.Parse(os.Args[1:]) // ends the process on a fault
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := serve(ctx, *addr, *iterations)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "visits:", err)
		os.Exit(1)
	}
}

// serve listens on addr, says where on stderr, and serves until ctx ends.
func serve(ctx context.Context, addr string, iterations int) error {
	stage, err := visits.LookupStage(visits.DefaultStage)
	if err != nil {
		return err
	}
	counter, err := stage.New(visits.Config{})
	if err != nil {
		return err
	}
	ln, err := net.Listen("tcp", addr)
	if err != nil {
		return err // says which address
	}
	fmt.Fprintln(os.Stderr, "listening on", ln.Addr())
	return visits.Serve(ctx, ln, spin.Handler(counter, iterations))
}
