package preflight

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"strings"
	"syscall"

	"github.com/gohone/hone/internal/text/fail"
)

// maxSources bounds a list of source addresses: one for each local port is more than
// any load needs.
const maxSources = 1 << 16

// sourceExample is a list that hints show.
const sourceExample = "--set source=127.0.0.2-127.0.0.9,10.0.0.1"

// ParseSources reads addresses and ranges of addresses (both ends included), separated
// by commas: 127.0.0.2-127.0.0.9,10.0.0.1. It keeps their order. Errors are *fail.Error
// of kind BadInput.
func ParseSources(text string) ([]netip.Addr, error) {
	var all []netip.Addr
	seen := map[netip.Addr]bool{}
	for part := range strings.SplitSeq(text, ",") {
		first, last, err := rangeOf(strings.TrimSpace(part))
		for a := first; err == nil; a = a.Next() {
			switch {
			case seen[a]:
				err = fmt.Errorf("%s stands in it twice", a)
			case len(all) == maxSources:
				err = fmt.Errorf("it has more than %d addresses", maxSources)
			default:
				seen[a] = true
				all = append(all, a)
			}
			if a == last {
				break
			}
		}
		if err != nil {
			return nil, fail.New(fail.BadInput, "list of sources %q: %w", text, err).WithHint("write it like %s",
				sourceExample)
		}
	}
	return all, nil
}

// rangeOf reads one address or FIRST-LAST.
func rangeOf(text string) (first, last netip.Addr, err error) {
	low, high, isRange := strings.Cut(text, "-")
	if !isRange {
		high = low
	}
	if first, err = addrOf(low); err != nil {
		return first, last, err
	}
	if last, err = addrOf(high); err != nil {
		return first, last, err
	}
	if first.BitLen() != last.BitLen() || first.Zone() != last.Zone() {
		return first, last, fmt.Errorf("%s goes from one kind of address to another", text)
	}
	if last.Less(first) {
		return first, last, fmt.Errorf("%s ends before it begins", text)
	}
	return first, last, nil
}

func addrOf(text string) (netip.Addr, error) {
	text = strings.TrimSpace(text)
	if text == "" {
		return netip.Addr{}, errors.New("an address is missing")
	}
	a, err := netip.ParseAddr(text)
	if err != nil {
		return a, fmt.Errorf("%q is not an IP address", text)
	}
	if a = a.Unmap(); a.IsUnspecified() || a.IsMulticast() {
		return a, fmt.Errorf("%s is not an address to connect from", a)
	}
	return a, nil
}

// checkSources finds sources that cannot reach the target: addresses of another family,
// loopback for a target that is not, and addresses that this machine does not have.
func checkSources(sources []netip.Addr, targets []netip.AddrPort) *fail.Error {
	var foreign, stray []string
	for _, s := range sources {
		if len(targets) > 0 && !reaches(s, targets) {
			stray = append(stray, s.String())
		} else if err := bindTo(s); err != nil {
			foreign = append(foreign, s.String())
		}
	}
	switch {
	case len(foreign) > 0:
		return fail.New(fail.Environment, "not an address of this machine: source %s", some(foreign)).
			WithHint("list this machine's addresses with: ip address; add one with: sudo ip address add %s dev NAME",
				foreign[0])
	case len(stray) > 0:
		return fail.New(fail.Environment, "no way from source %s to the target %s", some(stray), targets[0].Addr()).
			WithHint("name source addresses of the target's kind: IPv4 or IPv6, and loopback for loopback targets only")
	}
	return nil
}

// reaches says whether packets from s could come to one of the targets at all.
func reaches(s netip.Addr, targets []netip.AddrPort) bool {
	for _, t := range targets {
		if s.Is4() == t.Addr().Is4() && (!s.IsLoopback() || t.Addr().IsLoopback()) {
			return true
		}
	}
	return false
}

// bindTo returns an error if s is not an address of this machine. Other troubles, such as
// ports that are used up, are not the address's fault.
func bindTo(s netip.Addr) error {
	l, err := net.ListenTCP("tcp", net.TCPAddrFromAddrPort(netip.AddrPortFrom(s, 0)))
	if errors.Is(err, syscall.EADDRNOTAVAIL) {
		return err
	}
	if err == nil {
		l.Close()
	}
	return nil
}

// some writes the first of a list and the number of the others.
func some(list []string) string {
	const shown = 3
	if len(list) <= shown {
		return strings.Join(list, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(list[:shown], ", "), len(list)-shown)
}
