package httpmsg

import "bytes"

// HTTP1 is what OtherProtocol calls HTTP/1.1.
const HTTP1 = "HTTP/1.1"

// FirstLine is the first line of what came, for protocols whose first line says enough.
func FirstLine(in []byte) []byte {
	line, _, _ := bytes.Cut(in, []byte("\r\n"))
	return line
}

// OtherProtocol names what the first bytes of a connection belong to; empty if that is not known.
func OtherProtocol(in []byte) string {
	switch {
	case bytes.HasPrefix(in, []byte("HTTP/1.")):
		return HTTP1
	case len(in) >= 9 && in[0] == 0 && in[3] == 4 && string(in[4:9]) == "\x00\x00\x00\x00\x00": // SETTINGS: RFC 9113 sections 4.1 and 6.5
		return "HTTP/2 (--http2 speaks it)"
	case len(in) >= 3 && (in[0] == 0x15 || in[0] == 0x16) && in[1] == 3: // RFC 8446 section 5.1
		return "TLS (https:// speaks it)"
	case bytes.HasPrefix(in, []byte("SSH-")):
		return "SSH"
	}
	return ""
}
