package preflight

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"io/fs"
	"net/netip"
	"strconv"
)

// socket is one line of /proc/net/tcp.
type socket struct {
	local, remote netip.AddrPort // IPv4 in IPv6 is unmapped
	state         state
}

// state is a TCP state by the kernel's number (include/net/tcp_states.h).
type state uint8

const (
	timeWait  state = 6
	listening state = 10
)

// sockets lists the TCP sockets of this network namespace; false if they cannot be read.
func (m machine) sockets() ([]socket, bool) {
	text, err := fs.ReadFile(m.files, "proc/net/tcp")
	if err != nil {
		return nil, false
	}
	all := appendSockets(nil, text)
	if text, err = fs.ReadFile(m.files, "proc/net/tcp6"); err == nil { // absent without IPv6
		all = appendSockets(all, text)
	}
	return all, true
}

// appendSockets reads the text of /proc/net/tcp or tcp6 (proc_net(5)) and leaves out
// lines that are not whole, such as its heading.
func appendSockets(all []socket, text []byte) []socket {
	for line := range bytes.Lines(text) {
		word := bytes.Fields(line) // sl local_address rem_address st ...
		if len(word) < 4 {
			continue
		}
		local, ok1 := hexAddr(word[1])
		remote, ok2 := hexAddr(word[2])
		st, err := strconv.ParseUint(string(word[3]), 16, 8)
		if ok1 && ok2 && err == nil {
			all = append(all, socket{local, remote, state(st)})
		}
	}
	return all
}

// hexAddr reads ADDRESS:PORT in hexadecimal. The port is a number; the address is words
// of 4 bytes, each a number in this machine's byte order whose bytes are in the network's.
func hexAddr(text []byte) (netip.AddrPort, bool) {
	address, port, ok := bytes.Cut(text, []byte(":"))
	number, err := strconv.ParseUint(string(port), 16, 16)
	if !ok || err != nil || len(address) != 8 && len(address) != 32 {
		return netip.AddrPort{}, false
	}
	var raw [16]byte
	if _, err := hex.Decode(raw[:], address); err != nil {
		return netip.AddrPort{}, false
	}
	octets := raw[:len(address)/2]
	for i := 0; i < len(octets); i += 4 {
		binary.NativeEndian.PutUint32(octets[i:], binary.BigEndian.Uint32(octets[i:]))
	}
	a, ok := netip.AddrFromSlice(octets)
	return netip.AddrPortFrom(a.Unmap(), uint16(number)), ok
}
