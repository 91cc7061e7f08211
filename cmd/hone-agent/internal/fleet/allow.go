package fleet

import (
	"fmt"
	"net/netip"
	"slices"
	"strconv"
	"strings"

	"github.com/gohone/hone/internal/text/fail"
)

// Allow is a range of addresses that an agent may load.
type Allow struct {
	prefix   netip.Prefix
	from, to uint16
}

// Loopback is what an agent may load that was told nothing else: its own machine.
var Loopback = []Allow{
	{netip.MustParsePrefix("127.0.0.0/8"), 1, 65535}, {netip.MustParsePrefix("::1/128"), 1, 65535},
}

// ParseAllow reads a range of addresses: an address or a prefix, with a port, a range of ports or none (all):
// 10.0.9.0/28:8000-8099, 192.0.2.7, [2001:db8::/32]:443.
func ParseAllow(text string) (Allow, error) {
	bad := func(why string) (Allow, error) {
		return Allow{}, fail.New(fail.BadInput, "--allow %q: %s", text,
			why).
			WithHint("write an address or a prefix and its ports, such as 10.0.0.9:8080, 10.0.9.0/28:8000-8099 or " +
				"[2001:db8::/32]:443")
	}
	network, ports, hasPorts := text, "", false
	switch {
	case strings.HasPrefix(text, "["):
		inside, rest, closed := strings.Cut(text[1:], "]")
		if !closed || rest != "" && rest[0] != ':' {
			return bad("the bracket is not closed in front of the ports")
		}
		network, ports, hasPorts = inside, strings.TrimPrefix(rest, ":"), rest != ""
	case strings.Count(text, ":") == 1:
		network, ports, hasPorts = strings.Cut(text, ":")
	}
	a := Allow{from: 1, to: 65535}
	var err error
	if strings.Contains(network, "/") {
		a.prefix, err = netip.ParsePrefix(network)
	} else {
		var address netip.Addr
		if address, err = netip.ParseAddr(network); err == nil {
			a.prefix = netip.PrefixFrom(address, address.BitLen())
		}
	}
	if err != nil {
		return bad("it does not begin with an address or a prefix")
	}
	if !hasPorts {
		return a, nil
	}
	low, high, isRange := strings.Cut(ports, "-")
	if !isRange {
		high = low
	}
	from, err1 := strconv.ParseUint(low, 10, 16)
	to, err2 := strconv.ParseUint(high, 10, 16)
	if err1 != nil || err2 != nil || from == 0 || to < from {
		return bad(fmt.Sprintf("%q is neither a port nor a range of ports", ports))
	}
	a.from, a.to = uint16(from), uint16(to)
	return a, nil
}

// String is the range as ParseAllow reads it.
func (a Allow) String() string {
	network := a.prefix.String()
	if a.prefix.IsSingleIP() {
		network = a.prefix.Addr().String()
	}
	switch {
	case a.from == 1 && a.to == 65535:
		return network
	case a.prefix.Addr().Is6():
		network = "[" + network + "]"
	}
	if a.from == a.to {
		return fmt.Sprintf("%s:%d", network, a.from)
	}
	return fmt.Sprintf("%s:%d-%d", network, a.from, a.to)
}

// guard refuses addresses that are in none of the ranges, see protocol.Target.Guard.
func guard(all []Allow) func(network, address string) error {
	return func(network, address string) error {
		to, err := netip.ParseAddrPort(address)
		if err == nil && slices.ContainsFunc(all, func(a Allow) bool {
			return a.prefix.Contains(to.Addr().Unmap().WithZone("")) && a.from <= to.Port() && to.Port() <= a.to
		}) {
			return nil
		}
		return fail.New(fail.BadInput, "this agent may not load %s: its user allows %s", address, AllowText(all)).
			WithHint("if it should: hone agent --allow %s", address)
	}
}

// AllowText lists ranges, for people.
func AllowText(all []Allow) string {
	var texts []string
	for _, a := range all {
		texts = append(texts, a.String())
	}
	return strings.Join(texts, ", ")
}
