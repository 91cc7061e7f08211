package tlsidle

import (
	"bytes"
	"net/http"
	"strings"
)

// fields collects what the header fields of one request say, field by field, until
// settle weighs them up.
type fields struct {
	hosts             int
	host              []byte
	lengths           int
	length            []byte // of the first Content-Length
	codings           int
	coding            []byte // of the first Transfer-Encoding
	expect            []byte
	expects           int
	closes, keepAlive bool
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
		f.hosts++
		f.host = value
	case is(name, "Connection"):
		f.connection(value)
	case is(name, "Content-Length"):
		if f.lengths++; f.lengths > 1 && !bytes.Equal(value, f.length) {
			return bad("two Content-Lengths differ")
		}
		f.length = value
	case is(name, "Transfer-Encoding"):
		f.codings++
		f.coding = value
	case is(name, "Expect"):
		if f.expects++; f.expects == 1 { // net/http looks at the first
			f.expect = value
		}
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
	r.unexpected = len(f.expect) > 0 && !hasOption(f.expect, "100-continue")
	return nil
}

func (f *fields) settleHost(r *request) *refusal {
	switch {
	case f.hosts > 1:
		return bad("two Hosts")
	case f.hosts == 0 && r.minor == 1:
		return bad("no Host")
	}
	for _, c := range f.host {
		if !isHostByte(c) {
			return bad("Host holds a byte that no host has")
		}
	}
	if r.host == "" {
		r.host = string(f.host)
	}
	return nil
}

// settleBody says whether a body follows. The server takes none, so that its length is
// only checked for sense.
func (f *fields) settleBody(r *request) *refusal {
	switch {
	case f.codings > 0 && f.lengths > 0:
		return bad("both Content-Length and Transfer-Encoding")
	case f.codings > 0 && r.minor == 0:
		return bad("Transfer-Encoding in HTTP/1.0")
	case f.codings > 1 || f.codings == 1 && !is(f.coding, "chunked"):
		return &refusal{http.StatusNotImplemented, "transfer coding is not chunked"}
	case f.codings == 1:
		r.hasBody = true
		return nil
	case f.lengths == 0:
		return nil
	}
	if len(f.length) == 0 {
		return bad("Content-Length is empty")
	}
	for _, c := range f.length {
		if !isDigit(c) {
			return bad("Content-Length is no number")
		}
		r.hasBody = r.hasBody || c != '0'
	}
	// 2^63 has 19 digits: shorter numbers fit into 63 bits, as net/http wants them.
	if len(bytes.TrimLeft(f.length, "0")) > 18 {
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

// isHostByte says whether c may stand in a Host field: RFC 3986, 3.2.2 and 3.2.3.
func isHostByte(c byte) bool {
	return isAlnum(c) || strings.IndexByte("!$%&'()*+,-.:;=[]_~", c) >= 0
}

func isAlnum(c byte) bool {
	return isDigit(c) || 'a' <= c|0x20 && c|0x20 <= 'z'
}
