package serving

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"net"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/gohone/hone/bench/tail/backend"
)

// Main is the main function of a service. start makes its handler, and may start what else works in
// it, which ends when ctx does. Main serves until SIGTERM and then writes the stamps. An error ends
// the process with 1.
func Main(start func(ctx context.Context) (Handler, error)) {
	var s service
	flag.StringVar(&s.addr, "addr", "127.0.0.1:0", "`address` to listen on")
	flag.StringVar(&s.stamps, "stamps", "", "`file` that the stamps are written to at the end; none if empty")
	name := flag.String("protocol", protocols[0].name, "one of: "+strings.Join(names(), ", "))
	asBackend := flag.Bool(backend.Flag, false, "be the backend of such a service, until standard input ends")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, os.Interrupt)
	defer stop()
	var err error
	if *asBackend {
		err = backend.Serve(os.Stdin, os.Stdout)
	} else if s.protocol, err = find(*name); err == nil {
		err = s.run(ctx, start)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// service is what the flags say.
type service struct {
	addr, stamps string
	protocol     *protocol
}

func (s *service) run(ctx context.Context, start func(context.Context) (Handler, error)) error {
	h, err := start(ctx)
	if err != nil {
		return fmt.Errorf("start: %w", err)
	}
	ln, err := net.Listen("tcp", s.addr)
	if err != nil {
		return fmt.Errorf("listen: %w", err)
	}
	fmt.Fprintln(os.Stderr, "listening on", ln.Addr())
	all := newStamps()
	if err := s.protocol.serve(ctx, ln, all.stamped(h)); err != nil {
		return fmt.Errorf("serve %s: %w", s.protocol.name, err)
	}
	if s.stamps == "" {
		return nil
	}
	return all.write(s.stamps)
}

// protocol is one way to be asked. serve returns when ctx has ended and no request is under way.
type protocol struct {
	name  string
	serve func(ctx context.Context, ln net.Listener, h func(context.Context) error) error
}

func names() (all []string) {
	for _, p := range protocols {
		all = append(all, p.name)
	}
	return all
}

func find(name string) (*protocol, error) {
	for _, p := range protocols {
		if p.name == name {
			return p, nil
		}
	}
	err := fmt.Errorf("-protocol: unknown protocol %q (known: %s)", name, strings.Join(names(), ", "))
	if name == "grpc" {
		err = errors.Join(err, errors.New("-protocol grpc needs a build with -tags grpc"))
	}
	return nil, err
}
