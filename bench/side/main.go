package side

import (
	"context"
	"fmt"
	"os"
	"os/signal"
)

// Main is the main function of a benchmark: it serves if this process was started as a
// server, else reads the arguments and runs until the end or Ctrl-C. An error ends the
// process with 1.
func Main[C any](name string, parse func(args []string) (C, error), run func(context.Context, C) error) {
	ServeIfAsked()
	c, err := parse(os.Args[1:])
	if err == nil {
		ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
		err = run(ctx, c)
		stop()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, name+":", err)
		os.Exit(1)
	}
}
