package protocol

import (
	"encoding/binary"
	"net/url"
	"strings"

	"github.com/gohone/hone/internal/fail"
)

// http2Field is a field of a request's head.
type http2Field struct {
	name  string
	value template
	// secret: it must not be put into tables on its way (RFC 7541 section 7.1.3).
	secret bool
}

// http2Always is how many fields every request has, in front of the user's.
const http2Always = 5

// http2Fields is the header of a request but its length, which is the same in HTTP/3: RFC 9113 section 8.3.1 and RFC 9114
// section 4.3.1.
func http2Fields(method string, u *url.URL, o Options) ([]http2Field, error) {
	host, agent := hostHeader(u), userAgent
	var rest []http2Field
	field := func(name, value string) http2Field {
		return http2Field{name: name, value: o.templateOf(value, asIs, false)}
	}
	for _, line := range o.Headers {
		name, value, err := splitHeader(line)
		if err != nil {
			return nil, err
		}
		switch name = strings.ToLower(name); name {
		case "host":
			host = value
		case "user-agent":
			agent = value
		case "connection", "keep-alive", "proxy-connection":
			return nil, fail.New(fail.BadInput, "header %q does not exist in %s", name, versionOf(o).name).
				WithHint("leave it out, or leave out %s", versionOf(o).flag)
		case "te": // RFC 9113 section 8.2.2
			if !strings.EqualFold(value, "trailers") {
				return nil, fail.New(fail.BadInput, "header te is %q, and %s allows only %q", value, versionOf(o).name, "trailers").
					WithHint("-H te:trailers, or leave it out")
			}
			rest = append(rest, field(name, "trailers"))
		default:
			f := field(name, value)
			f.secret = name == "authorization" || name == "cookie"
			rest = append(rest, f)
		}
	}
	uri, err := httpURI(u, o)
	if err != nil {
		return nil, err
	}
	return append([]http2Field{
		field(":method", method), field(":scheme", u.Scheme), {name: ":path", value: uri}, field(":authority", host), field("user-agent", agent),
	}, rest...), nil
}

// httpVersion is a version of HTTP as messages name it, and its flag.
type httpVersion struct{ name, flag string }

// versionOf is the version that o asks for, which is not HTTP/1.1.
func versionOf(o Options) httpVersion {
	if o.HTTP3 {
		return httpVersion{"HTTP/3", "--http3"}
	}
	return httpVersion{"HTTP/2", "--http2"}
}

// http2Part is a field: what goes in front of its value's length, and the value.
type http2Part struct {
	name  []byte
	value template
}

// appendHPACKText appends a string that is not compressed: RFC 7541 section 5.2.
func appendHPACKText(dst []byte, text string) []byte {
	at := len(dst)
	return insertHPACKLength(append(dst, text...), at)
}

// insertHPACKLength puts the length of dst[at:] in front of it. Most values are shorter than 127 bytes.
func insertHPACKLength(dst []byte, at int) []byte {
	n := len(dst) - at
	var length [10]byte
	size := 1
	if n < 0x7f {
		length[0] = byte(n)
	} else {
		length[0] = 0x7f
		size += binary.PutUvarint(length[1:], uint64(n-0x7f)) // the same form: seven bits a byte, the lowest first
	}
	dst = append(dst, length[:size]...)
	copy(dst[at+size:], dst[at:at+n])
	copy(dst[at:], length[:size])
	return dst
}
