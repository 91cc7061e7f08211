// Command visits serves the visitor counter with one stage of its ladder.
//
//	visits [-stage narrow] [-addr 127.0.0.1:8080] [-spin 0] [-log FILE]
//
// It says on stderr where it listens, and ends on SIGINT and SIGTERM. The exit code is 0
// after such an end, 2 for bad flags, 1 for anything else.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/gohone/hone/bench/calibrate/spin"
	"github.com/gohone/hone/bench/visits"
)

// Bounds of what a client can hold up.
const (
	headerTimeout = 10 * time.Second
	idleTimeout   = 2 * time.Minute
	grace         = 2 * time.Second // for requests that are being answered at the end
)

func main() {
	last := visits.Stages[len(visits.Stages)-1].Name
	fs := flag.NewFlagSet("visits", flag.ExitOnError)
	name := fs.String("stage", last, "`stage` of the ladder")
	addr := fs.String("addr", "127.0.0.1:8080", "`host:port` to listen on; port 0 takes a free one")
	logFile := fs.String("log", os.DevNull, "`file` that a line for each visit is appended to")
	iterations := spin.Flag(fs)
	fs.Parse(os.Args[1:]) // ends the process on a fault
	stage, err := visits.LookupStage(*name)
	if err != nil {
		fmt.Fprintln(os.Stderr, "visits:", err)
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err = run(ctx, stage, *addr, *logFile, *iterations)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "visits:", err)
		os.Exit(1)
	}
}

// run opens the log and serves until ctx ends.
func run(ctx context.Context, stage visits.Stage, addr, logFile string, iterations int) error {
	var log io.Writer = io.Discard // spares the system call that the null device would take
	if logFile != os.DevNull {
		f, err := os.OpenFile(logFile, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
		if err != nil {
			return err // says which file
		}
		defer f.Close()
		log = f
	}
	mux := http.NewServeMux()
	mux.Handle("/hello", stage.New(log))
	return serve(ctx, spin.Handler(mux, iterations), addr)
}

func serve(ctx context.Context, h http.Handler, addr string) error {
	ln, err := net.Listen("tcp", addr)
	if err != nil {
		return err // says which address
	}
	fmt.Fprintln(os.Stderr, "listening on", ln.Addr())
	server := &http.Server{Handler: h, ReadHeaderTimeout: headerTimeout, IdleTimeout: idleTimeout}
	served := make(chan error, 1)
	go func() { served <- server.Serve(ln) }() // ends with Shutdown or Close, below
	select {
	case err = <-served:
	case <-ctx.Done():
	}
	deadline, cancel := context.WithTimeout(context.Background(), grace)
	defer cancel()
	if stopped := server.Shutdown(deadline); stopped != nil {
		err = errors.Join(err, stopped, server.Close())
	}
	if errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return err
}
