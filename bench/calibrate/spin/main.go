package spin

import (
	"context"
	"flag"
	"fmt"
	"net"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
)

// Main is the main function of a subject of the calibration: it listens on -addr, says where
// on stderr, and serves with -spin iterations more for each request until SIGINT or SIGTERM.
// The exit code is 0 after such an end, 2 for bad flags, 1 for anything else.
func Main(serve func(ctx context.Context, ln net.Listener, iterations int) error) {
	name := filepath.Base(os.Args[0])
	fs, addr, iterations := flags(name, flag.ExitOnError)
	fs.Parse(os.Args[1:]) // ends the process on a fault
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	ln, err := net.Listen("tcp", *addr)
	if err == nil {
		fmt.Fprintln(os.Stderr, "listening on", ln.Addr())
		err = serve(ctx, ln, int(*iterations))
	}
	stop()
	if err != nil {
		fmt.Fprintf(os.Stderr, "%s: %v\n", name, err)
		os.Exit(1)
	}
}

func flags(name string, onError flag.ErrorHandling) (fs *flag.FlagSet, addr *string, iterations *uint) {
	fs = flag.NewFlagSet(name, onError)
	return fs, fs.String("addr", "127.0.0.1:8080", "`host:port` to listen on; port 0 takes a free one"),
		fs.Uint("spin", 0, "`iterations` of a small loop per request; 0 is the service as it is")
}
