package lab

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"strings"
	"time"

	"github.com/gohone/hone/internal/fail"
	"github.com/gohone/hone/internal/subject"
)

// discoverTimeout bounds the one question that tells whether a port speaks HTTP.
const discoverTimeout = 2 * time.Second

// discover finds the target of a subject whose user named none: the port that it
// opened, if that answers HTTP. assumption says in words what was assumed.
func discover(ctx context.Context, p *subject.Process) (url, assumption string, err error) {
	address := p.Address()
	line, err := askHTTP(ctx, p.Dial, address)
	if err != nil {
		return "", "", fail.New(fail.BadInput,
			"the program listens on %s, but that port does not answer HTTP (%w), and --target is not given", address, err).
			WithHint("name the protocol: --target framed://%s (or another scheme)", address)
	}
	url = "http://" + address + "/"
	ports := "the port it opened"
	if all, err := p.Listeners(); err == nil && len(all) > 1 {
		ports = fmt.Sprintf("one of the %d ports it opened", len(all))
	}
	return url, fmt.Sprintf("no --target given: assumed %s, %s (it answers %q)", url, ports, line), nil
}

// askHTTP sends one GET / and returns the status line.
func askHTTP(ctx context.Context, dial func(context.Context) (net.Conn, error), host string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, discoverTimeout)
	defer cancel()
	conn, err := dial(ctx)
	if err != nil {
		return "", err
	}
	defer conn.Close()
	if err := conn.SetDeadline(time.Now().Add(discoverTimeout)); err != nil {
		return "", err
	}
	if _, err := fmt.Fprintf(conn, "GET / HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n\r\n", host); err != nil {
		return "", err
	}
	line, err := bufio.NewReader(io.LimitReader(conn, 4096)).ReadString('\n')
	line = strings.TrimSpace(line)
	switch {
	case strings.HasPrefix(line, "HTTP/1."):
		return line, nil
	case err != nil:
		return "", fmt.Errorf("it closed or stayed silent: %w", err)
	default:
		return "", fmt.Errorf("it answered %.40q", line)
	}
}
