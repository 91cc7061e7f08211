package nullserver

import (
	"bytes"
	"strconv"
)

// http answers HTTP/1.1 requests (RFC 9112). It looks at a request just enough to know
// where it ends and what may not be left out of the answer: a body is skipped, an
// answer to HEAD has none, a client that wants the connection closed gets that. What it
// does not know (chunked requests, expectations) it refuses in words and closes.
type http struct {
	// due is the answer to the request whose head has come, "" before; body is how much
	// of its body is still to come, last whether it is the connection's last.
	due  string
	body int64
	last bool
}

// The answers have the fields of net/http's, in its order. The date never changes: a
// clock would cost more than all the rest.
const (
	okStatus = "HTTP/1.1 200 OK\r\n"
	okFields = "Date: Mon, 02 Jan 2006 15:04:05 GMT\r\n" +
		"Content-Length: 2\r\n" +
		"Content-Type: text/plain; charset=utf-8\r\n"
	okBody = "ok"
	closes = "Connection: close\r\n"

	answerOK        = okStatus + okFields + "\r\n" + okBody
	answerHead      = okStatus + okFields + "\r\n"
	answerOKLast    = okStatus + okFields + closes + "\r\n" + okBody
	answerHeadLast  = okStatus + okFields + closes + "\r\n"
	refusedRest     = "Content-Length: 0\r\n" + closes + "\r\n"
	refuseMalformed = "HTTP/1.1 400 Bad Request\r\n" + refusedRest
	refuseExpect    = "HTTP/1.1 417 Expectation Failed\r\n" + refusedRest
	refuseLong      = "HTTP/1.1 431 Request Header Fields Too Large\r\n" + refusedRest
	refuseChunked   = "HTTP/1.1 501 Not Implemented\r\n" + refusedRest
	refuseVersion   = "HTTP/1.1 505 HTTP Version Not Supported\r\n" + refusedRest
)

func (h *http) answer(out, in []byte) (newOut []byte, used int, last bool) {
	for {
		if h.due == "" {
			size := h.begin(in[used:])
			if size == 0 {
				return out, used, false
			}
			used += size
			if h.due == "" {
				continue // an empty line
			}
		}
		n := min(h.body, int64(len(in)-used))
		used += int(n)
		h.body -= n
		if h.body > 0 {
			return out, used, false
		}
		out = append(out, h.due...)
		h.due = ""
		if h.last {
			return out, used, true
		}
	}
}

// begin reads the head of a request, or an empty line before one (RFC 9112, section
// 2.2), and says how long it is, 0 if it is not all there.
func (h *http) begin(in []byte) (size int) {
	if bytes.HasPrefix(in, []byte("\r\n")) {
		return 2
	}
	window := in[:min(len(in), maxRest)]
	end := bytes.Index(window, []byte("\r\n\r\n"))
	if end < 0 {
		if len(window) == maxRest {
			h.refuse(refuseLong)
			return maxRest
		}
		return 0
	}
	h.read(in[:end+2])
	return end + 4
}

// refuse answers with an error and ends the connection: where this request ends is not
// known, and so not where the next begins.
func (h *http) refuse(answer string) {
	h.due, h.body, h.last = answer, 0, true
}

// noLength is what body is while a head has said nothing of one.
const noLength = -1

// read sets what the head asks for. Each line of it ends in CR LF.
func (h *http) read(head []byte) {
	line, fields := cutLine(head)
	if len(line) < len("? HTTP/1.1") || !bytes.HasSuffix(line[:len(line)-1], []byte(" HTTP/1.")) {
		h.refuse(refuseMalformed)
		return
	}
	minor := line[len(line)-1]
	if minor != '1' && minor != '0' {
		h.refuse(refuseVersion)
		return
	}
	h.body = noLength
	h.last = minor == '0' // RFC 9112, section 9.3: closing is what 1.0 expects
	for len(fields) > 0 && h.due == "" {
		line, fields = cutLine(fields)
		switch {
		case len(line) == 0: // a bare CR LF cannot be: it would have ended the head
		case line[0]|0x20 == 'c' || line[0]|0x20 == 't' || line[0]|0x20 == 'e':
			h.field(line) // few lines begin like those that matter
		}
	}
	if h.due != "" {
		return // refused
	}
	h.body = max(h.body, 0)
	noBody := bytes.HasPrefix(head, []byte("HEAD "))
	switch {
	case noBody && h.last:
		h.due = answerHeadLast
	case noBody:
		h.due = answerHead
	case h.last:
		h.due = answerOKLast
	default:
		h.due = answerOK
	}
}

// cutLine splits off the first line, which has a CR LF. With bytes.Cut, which has no search of its
// own for two bytes, a whole head takes half as long again.
func cutLine(b []byte) (line, rest []byte) {
	for at := 0; ; at++ {
		i := bytes.IndexByte(b[at:], '\n')
		if i < 0 {
			return b, nil
		}
		at += i
		if at > 0 && b[at-1] == '\r' {
			return b[:at-1], b[at+1:]
		}
	}
}

// field reads a line that may be one of those that matter.
func (h *http) field(line []byte) {
	name, value, ok := bytes.Cut(line, []byte(":"))
	if bare := bytes.TrimRight(name, " \t"); !ok || len(bare) != len(name) {
		h.refuse(refuseMalformed) // RFC 9112, section 5.1: no space before the colon
		return
	}
	value = bytes.Trim(value, " \t")
	switch {
	case bytes.EqualFold(name, []byte("content-length")):
		n, err := strconv.ParseUint(string(value), 10, 63) // digits only, as section 8.6 has it
		if err != nil || h.body != noLength && h.body != int64(n) {
			h.refuse(refuseMalformed)
			return
		}
		h.body = int64(n)
	case bytes.EqualFold(name, []byte("connection")):
		for option := range bytes.SplitSeq(value, []byte(",")) {
			h.last = h.last || bytes.EqualFold(bytes.Trim(option, " \t"), []byte("close"))
		}
	case bytes.EqualFold(name, []byte("transfer-encoding")):
		h.refuse(refuseChunked)
	case bytes.EqualFold(name, []byte("expect")):
		h.refuse(refuseExpect)
	}
}
