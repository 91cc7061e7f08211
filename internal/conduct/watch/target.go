package watch

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/gohone/hone/internal/sys/sockets"
	"github.com/gohone/hone/internal/text/fail"
)

// Target is what a word of the command line names: an address, a process, standard input,
// or a package. Only the fields of one of them are set.
type Target struct {
	Word string
	// Pages is where net/http/pprof may be, Metrics where the metrics may be; both URLs.
	// HostPort is where the service listens.
	Pages, Metrics, HostPort string
	PID                      int
	// GuessedPages and GuessedMetrics say that the address was named, not the page.
	GuessedPages, GuessedMetrics bool
	// AnyProtocol says that the address was named without a scheme: whether it speaks HTTP
	// is to be found out.
	AnyProtocol bool
	// Trace says that lines of gctrace come from standard input.
	Trace bool
	// Package says that the word is a package, to be built and started.
	Package bool
}

// defaultPages is where net/http/pprof puts its pages, defaultMetrics where services
// expose their metrics.
const (
	defaultPages   = "/debug/pprof"
	defaultMetrics = "/metrics"
)

// ParseTarget tells them apart: "-" is standard input, a number a process, host:port,
// :port and URLs are addresses, and all else is a package. Errors are fail.BadInput.
func ParseTarget(word string) (Target, error) {
	t := Target{Word: word}
	if word == "-" {
		t.Trace = true
		return t, nil
	}
	if pid, err := strconv.Atoi(word); err == nil {
		if pid <= 0 {
			return t, fail.New(fail.BadInput, "%d is not a process ID: these begin at 1", pid)
		}
		t.PID = pid
		return t, nil
	}
	if word == "localhost" || net.ParseIP(word) != nil {
		return t, fail.New(fail.BadInput, "%s names no port", word).WithHint("hone watch %s",
			net.JoinHostPort(word, "6060"))
	}
	text := word
	if !strings.Contains(word, "://") {
		host, port, err := net.SplitHostPort(word)
		if _, errPort := strconv.ParseUint(port, 10, 16); err != nil || errPort != nil ||
			strings.ContainsAny(host, "/\\ \t") {
			t.Package = true
			return t, nil
		}
		text = "http://" + word
		t.AnyProtocol = true
	}
	err := t.address(text)
	return t, err
}

// address fills in what a URL says.
func (t *Target) address(text string) error {
	u, err := ParseURL(text)
	if err != nil {
		return err
	}
	port := cmp.Or(u.Port(), map[string]string{"http": "80", "https": "443"}[u.Scheme])
	t.HostPort = net.JoinHostPort(cmp.Or(u.Hostname(), "localhost"), port) // :8080 has no host
	u.Host = t.HostPort
	if u.Path = strings.TrimSuffix(u.Path, "/"); u.Path == "" {
		u.Path, t.GuessedPages = defaultPages, true
	}
	t.Pages = u.String()
	u.Path, t.GuessedMetrics = defaultMetrics, true
	t.Metrics = u.String()
	return nil
}

// ParseURL reads an http or https address. Errors are fail.BadInput.
func ParseURL(text string) (*url.URL, error) {
	u, err := url.Parse(text)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return nil, fail.New(fail.BadInput, "%q is not an address that can be watched", text).
			WithHint("write host:port, http://host:port, or http://host:port/path/of/pprof")
	}
	u.RawQuery, u.Fragment = "", ""
	return u, nil
}

// resolvePatience bounds the look-up of a name.
const resolvePatience = 3 * time.Second

// listenerOf finds the process behind host:port.
func listenerOf(ctx context.Context, hostPort string) (int, error) {
	host, portText, err := net.SplitHostPort(hostPort)
	if err != nil {
		return 0, refusal{err}
	}
	port, err := strconv.ParseUint(portText, 10, 16)
	if err != nil {
		return 0, refusal{err}
	}
	bounded, cancel := context.WithTimeout(ctx, resolvePatience)
	defer cancel()
	ips, err := sockets.LocalAddresses(bounded, host)
	if err != nil && !errors.Is(err, sockets.ErrElsewhere) {
		return 0, fmt.Errorf("look up %s: %w", host, err)
	}
	if len(ips) == 0 {
		return 0, refusal{fmt.Errorf("%s is not this machine: CPU, memory and connections are not seen", host)}
	}
	return findListener(ips, int(port))
}
