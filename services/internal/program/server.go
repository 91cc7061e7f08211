package program

import (
	"context"
	"errors"
	"flag"
	"io"
	"log/slog"
	"net"
	"os"
	"time"
)

// Server is what a server's program is asked to do.
type Server interface {
	// Flags declares the flags.
	Flags(*flag.FlagSet)
	// Validate says what is wrong with the flags' values, all of it at once.
	Validate() error
	// Serve listens and serves until ctx ends.
	Serve(ctx context.Context, log *slog.Logger) error
}

// Main is the main function of a server's program: it says on stderr what happens, and ends
// on SIGINT and SIGTERM. The exit code is OK after such an end, Usage for bad flags, Failed
// for anything else.
func Main(name string, s Server) {
	os.Exit(UntilSignalled(func(ctx context.Context, args []string, _, stderr io.Writer) int {
		return serve(ctx, name, s, args, stderr)
	}))
}

func serve(ctx context.Context, name string, s Server, args []string, stderr io.Writer) (code int) {
	log := slog.New(slog.NewTextHandler(stderr, nil))
	flags := flag.NewFlagSet(name, flag.ContinueOnError)
	s.Flags(flags)
	err := Parse(flags, args, stderr)
	if err == nil {
		err = s.Validate()
	}
	switch {
	case errors.Is(err, flag.ErrHelp):
		return OK
	case err != nil:
		log.Error("bad flags", "err", err)
		return Usage
	}
	if err := s.Serve(ctx, log); err != nil {
		log.Error(name+" server failed", "err", err)
		return Failed
	}
	return OK
}

// Listener is a service's server.
type Listener interface {
	Serve(net.Listener) error
	Shutdown(context.Context) error
}

// grace is how long a shutdown waits for clients that do not read: the servers' own
// default for a stalled write, so that none is cut shorter than usual.
const grace = 10 * time.Second

// Listen has s serve addr until ctx ends, and shuts it down.
func Listen(ctx context.Context, log *slog.Logger, addr, stage string, s Listener) error {
	ln, err := Open(log, addr, stage)
	if err != nil {
		return err
	}
	return ServeUntil(ctx, ln, s)
}

// Open returns a listener on addr, and logs where that is.
func Open(log *slog.Logger, addr, stage string) (net.Listener, error) {
	ln, err := net.Listen("tcp", addr)
	if err != nil {
		return nil, err // listen tcp ADDR: bind: address already in use
	}
	log.Info("listening", "addr", ln.Addr().String(), "stage", stage)
	return ln, nil
}

// ServeUntil has s serve ln until ctx ends, and shuts it down.
func ServeUntil(ctx context.Context, ln net.Listener, s Listener) (err error) {
	served := make(chan error, 1)
	go func() { served <- s.Serve(ln) }() // ends with Shutdown, below
	select {
	case err = <-served:
	case <-ctx.Done():
	}
	deadline, cancel := context.WithTimeout(context.Background(), grace)
	defer cancel()
	return errors.Join(err, s.Shutdown(deadline))
}
