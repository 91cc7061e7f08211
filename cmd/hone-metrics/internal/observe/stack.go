package observe

import (
	"cmp"
	"errors"
	"fmt"
	"net"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gohone/hone/internal/sys/sameorigin"
	"github.com/gohone/hone/internal/text/fail"
)

// Stack is what the user decides. The zero value of a field is its default.
type Stack struct {
	// Service is the host:port of the service's metrics page, as this machine reaches it.
	// Empty means 127.0.0.1:8889, where the framed server shows its own.
	Service string
	// Hone is the host:port where hone serves metrics: those of a run that goes on, and
	// Prometheus' API over its recordings. Empty means 127.0.0.1:9464.
	Hone string
	// Interval is the time from one scrape to the next, from 100 ms to 2 min: Prometheus
	// takes a series for gone after 5 min without a sample. 0 means 5 s.
	Interval time.Duration
	// Families are the metrics that the service shows, see Scrape; none if it shows none yet.
	// Its dashboard and the rules about it are made of them.
	Families []Family
}

// The defaults: the address and the interval of the published rig, and where hone serves
// metrics unless told otherwise.
const (
	DefaultService  = "127.0.0.1:8889"
	DefaultHone     = "127.0.0.1:9464"
	DefaultInterval = 5 * time.Second
)

// What the stack itself listens on: the ports of the published rig, and Grafana's.
const (
	prometheusPort = 9090
	nodePort       = 9100
	grafanaPort    = 3000
)

// Job names in Prometheus. They are those under which hone stores its own recordings, so
// that one dashboard serves both.
const (
	jobService    = "subject"
	jobPrometheus = "prometheus"
	jobNode       = "node"
	jobHone       = "hone"
)

// windowScrapes is how many scrapes the published rates reach back over: [15s] at 5 s.
const windowScrapes = 3

// withDefaults returns s with every field filled in that has a default.
func (s Stack) withDefaults() Stack {
	s.Service = cmp.Or(s.Service, DefaultService)
	s.Hone = cmp.Or(s.Hone, DefaultHone)
	s.Interval = cmp.Or(s.Interval, DefaultInterval)
	return s
}

// Validate reports all faults of a stack at once, as one error of kind BadInput.
func (s Stack) Validate() error {
	s = s.withDefaults()
	var faults []error
	for _, target := range []struct{ flag, address string }{{"--service", s.Service}, {"--hone", s.Hone}} {
		if err := checkAddress(target.address); err != nil {
			faults = append(faults, fmt.Errorf("%s: %w", target.flag, err))
		}
	}
	if s.Service == s.Hone {
		faults = append(faults, fmt.Errorf("--service and --hone are both %s", s.Service))
	}
	if s.Interval < 100*time.Millisecond || s.Interval > 2*time.Minute || s.Interval%time.Millisecond != 0 {
		faults = append(faults, fmt.Errorf("--interval: %v is not from 100ms to 2m in whole milliseconds", s.Interval))
	}
	if len(faults) > 0 {
		return fail.New(fail.BadInput, "%w", errors.Join(faults...)).
			WithHint("an address is host:port, without a scheme or a path: --service %s", DefaultService)
	}
	return nil
}

// hostName is what may stand in an address besides an IP address: a name as in RFC 1123,
// and the underscore that container networks allow.
var hostName = regexp.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9._-]*$`)

// maxHostName is the longest a name may be, RFC 1035, section 2.3.4 less the length bytes.
const maxHostName = 253

// checkAddress holds an address to host:port and away from the stack's own ports.
func checkAddress(address string) error {
	if strings.Contains(address, "/") {
		return fmt.Errorf("%q is not host:port but a URL", address)
	}
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return fmt.Errorf("%q is not host:port", address)
	}
	if net.ParseIP(host) == nil && (len(host) > maxHostName || !hostName.MatchString(host)) {
		return fmt.Errorf("%q has no host name or IP address before the port", address)
	}
	number, err := strconv.ParseUint(port, 10, 16)
	if err != nil || number == 0 {
		return fmt.Errorf("%q has no port from 1 to 65535", address)
	}
	if isLoopback(host) && slices.Contains([]uint64{prometheusPort, nodePort, grafanaPort}, number) {
		return fmt.Errorf("%s is where this stack itself listens (%d Prometheus, %d node_exporter, %d Grafana)",
			address, prometheusPort, nodePort, grafanaPort)
	}
	return nil
}

func isLoopback(host string) bool {
	ip := net.ParseIP(host)
	return sameorigin.LoopbackHost(host) || ip != nil && ip.IsUnspecified()
}

// promDuration is d as Prometheus and Grafana write durations: 5s, 1500ms.
func promDuration(d time.Duration) string {
	if d%time.Second == 0 {
		return strconv.FormatInt(int64(d/time.Second), 10) + "s"
	}
	return strconv.FormatInt(d.Milliseconds(), 10) + "ms"
}
