// Command rpcbench calls /helloworld.Greeter/SayHello as fast as it can and reports how
// fast that was.
//
//	rpcbench [-concurrency 500] [-total 1000000] [-target 127.0.0.1:8000] [-stage pipelined] [-conns N]
//
// Each of the callers makes one call after the other, until total calls were made. Every
// reply is checked. The exit code is 0 if all calls succeeded, 1 if not, 2 for bad
// flags. SIGINT and SIGTERM end the calls early; what was done is reported.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/gohone/hone/services/rpc"
)

// Exit codes.
const (
	exitOK     = 0
	exitFailed = 1
	exitUsage  = 2 // what package flag uses
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// run is the program.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	b, err := parse(args, stderr)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return exitOK
	case err != nil:
		fmt.Fprintf(stderr, "rpcbench: %v\n", err)
		return exitUsage
	}
	r, err := b.measure(ctx)
	if err != nil {
		fmt.Fprintf(stderr, "rpcbench: %v\n", err)
		return exitFailed
	}
	r.print(stdout)
	if r.firstFailure != nil {
		fmt.Fprintf(stderr, "rpcbench: first failure: %v\n", r.firstFailure)
	}
	if r.succeeded != b.total {
		return exitFailed
	}
	return exitOK
}

// parse reads the flags and checks them.
func parse(args []string, stderr io.Writer) (*bench, error) {
	names := make([]string, len(rpc.Stages))
	for i, s := range rpc.Stages {
		names[i] = s.Name
	}
	b := new(bench)
	flags := flag.NewFlagSet("rpcbench", flag.ContinueOnError)
	flags.SetOutput(io.Discard) // a fault is printed once, by run
	flags.IntVar(&b.concurrency, "concurrency", 500, "callers at a time")
	flags.IntVar(&b.total, "total", 1_000_000, "calls in all")
	flags.StringVar(&b.target, "target", "127.0.0.1:8000", "`host:port` of the server")
	flags.StringVar(&b.stage, "stage", rpc.DefaultStage, "`stage` of the client: "+strings.Join(names, ", "))
	flags.IntVar(&b.conns, "conns", 0, "connections; 0 means the stage's own number (naive: one for each caller)")
	if err := flags.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			flags.SetOutput(stderr)
			flags.PrintDefaults()
		}
		return nil, err
	}
	if flags.NArg() > 0 {
		return nil, fmt.Errorf("unexpected argument %q (every setting is a flag; see -help)", flags.Arg(0))
	}
	return b, b.validate()
}
