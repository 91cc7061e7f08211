package tlsidle

import (
	"bytes"
	"cmp"
	"net/http"
	"strings"

	"golang.org/x/net/http/httpguts"
)

// fields collects what the header fields of one request say, field by field, until
// settle weighs them up.
type fields struct {
	host, length, coding, expect field
	closes, keepAlive            bool
}

// field is how often a field came, and its first value.
type field struct {
	n     int
	value []byte
}

func (f *field) came(value []byte) {
	if f.n++; f.n == 1 {
		f.value = value
	}
}

// add takes in one line of the header.
func (f *fields) add(line []byte) *refusal {
	if line[0] == ' ' || line[0] == '\t' {
		return bad("header line is folded")
	}
	name, value, ok := bytes.Cut(line, []byte{':'})
	if !ok || !isToken(name) {
		return bad("header line is not: name, colon, value")
	}
	value = bytes.Trim(value, " \t")
	for _, c := range value {
		if c < ' ' && c != '\t' || c == 0x7f {
			return bad("header value holds a control byte")
		}
	}
	switch {
	case is(name, "Host"):
		f.host.came(value)
	case is(name, "Connection"):
		f.connection(value)
	case is(name, "Content-Length"):
		if f.length.came(value); !bytes.Equal(value, f.length.value) {
			return bad("two Content-Lengths differ")
		}
	case is(name, "Transfer-Encoding"):
		f.coding.came(value)
	case is(name, "Expect"):
		f.expect.came(value)
	}
	return nil
}

// connection takes in a list of connection options (RFC 9110, 7.6.1).
func (f *fields) connection(list []byte) {
	for option := range bytes.SplitSeq(list, []byte{','}) {
		option = bytes.Trim(option, " \t")
		f.closes = f.closes || is(option, "close")
		f.keepAlive = f.keepAlive || is(option, "keep-alive")
	}
}

// settle weighs the fields up and completes r.
func (f *fields) settle(r *request) *refusal {
	if why := f.settleHost(r); why != nil {
		return why
	}
	if why := f.settleBody(r); why != nil {
		return why
	}
	r.ends = f.closes || r.minor == 0 && !f.keepAlive
	r.unexpected = len(f.expect.value) > 0 && !hasOption(f.expect.value, "100-continue") // as net/http, by the first
	return nil
}

func (f *fields) settleHost(r *request) *refusal {
	switch {
	case f.host.n > 1:
		return bad("two Hosts")
	case f.host.n == 0 && r.minor == 1:
		return bad("no Host")
	}
	host := string(f.host.value)
	if !httpguts.ValidHostHeader(host) {
		return bad("Host holds a byte that no host has")
	}
	r.host = cmp.Or(r.host, host)
	return nil
}

// settleBody says whether a body follows. The server takes none, so that its length is
// only checked for sense.
func (f *fields) settleBody(r *request) *refusal {
	switch {
	case f.coding.n > 0 && f.length.n > 0:
		return bad("both Content-Length and Transfer-Encoding")
	case f.coding.n > 0 && r.minor == 0:
		return bad("Transfer-Encoding in HTTP/1.0")
	case f.coding.n > 1 || f.coding.n == 1 && !is(f.coding.value, "chunked"):
		return &refusal{http.StatusNotImplemented, "transfer coding is not chunked"}
	case f.coding.n == 1:
		r.hasBody = true
		return nil
	case f.length.n == 0:
		return nil
	}
	length := f.length.value
	if len(length) == 0 {
		return bad("Content-Length is empty")
	}
	for _, c := range length {
		if !isDigit(c) {
			return bad("Content-Length is not a number")
		}
		r.hasBody = r.hasBody || c != '0'
	}
	// 2^63 has 19 digits: shorter numbers fit into 63 bits, as net/http wants them.
	if len(bytes.TrimLeft(length, "0")) > 18 {
		return bad("Content-Length is beyond any body")
	}
	return nil
}

// is compares a name or an option without regard to case, ASCII only.
func is(b []byte, want string) bool {
	return len(b) == len(want) && strings.EqualFold(string(b), want)
}

// hasOption finds a word in a list, separated as net/http does for Expect.
func hasOption(list []byte, want string) bool {
	for option := range bytes.FieldsFuncSeq(list, func(c rune) bool { return c == ' ' || c == ',' || c == '\t' }) {
		if is(option, want) {
			return true
		}
	}
	return false
}

// isToken says whether b is a token (RFC 9110, 5.6.2).
func isToken(b []byte) bool {
	for _, c := range b {
		if !isAlnum(c) && strings.IndexByte("!#$%&'*+-.^_`|~", c) < 0 {
			return false
		}
	}
	return len(b) > 0
}

func isAlnum(c byte) bool {
	return isDigit(c) || 'a' <= c|0x20 && c|0x20 <= 'z'
}
