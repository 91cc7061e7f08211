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

	"github.com/gohone/hone/services/internal/ladder"
	"github.com/gohone/hone/services/internal/program"
	"github.com/gohone/hone/services/rpc"
)

func main() { os.Exit(program.UntilSignalled(run)) }

// run is the program.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	var b *bench
	return program.Tool("rpcbench", stderr, func() (err error) {
		b, err = parse(args, stderr)
		return err
	}, func() error {
		r, err := b.measure(ctx)
		if err != nil {
			return err
		}
		r.print(stdout)
		switch {
		case r.firstFailure != nil:
			return fmt.Errorf("first failure: %w", r.firstFailure)
		case r.succeeded != b.total:
			return fmt.Errorf("%d calls of %d were made", r.succeeded, b.total)
		}
		return nil
	})
}

// parse reads the flags and checks them.
func parse(args []string, stderr io.Writer) (*bench, error) {
	b := new(bench)
	flags := flag.NewFlagSet("rpcbench", flag.ContinueOnError)
	flags.IntVar(&b.concurrency, "concurrency", 500, "callers at a time")
	flags.IntVar(&b.total, "total", 1_000_000, "calls in all")
	flags.StringVar(&b.target, "target", "127.0.0.1:8000", "`host:port` of the server")
	stage := flags.String("stage", rpc.DefaultStage, "`stage` of the client: "+ladder.Names(rpc.Stages))
	flags.IntVar(&b.conns, "conns", 0, "connections; 0 means the stage's own number (naive: one for each caller)")
	if err := program.Parse(flags, args, stderr); err != nil {
		return nil, err
	}
	var err error
	b.stage, err = rpc.LookupStage(*stage)
	return b, errors.Join(err, b.validate())
}
