package httpmsg

import (
	"encoding/binary"
	"net/url"
	"strings"

	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/wire"
)

// Field is a field of a request's head.
type Field struct {
	Name  string
	Value wire.Template
	// Secret: it must not be put into tables on its way (RFC 7541 section 7.1.3).
	Secret bool
}

// Always is how many fields every request has, in front of the user's.
const Always = 5

// Fields is the header of a request but its length, which is the same in HTTP/3: RFC 9113 section 8.3.1 and RFC 9114
// section 4.3.1.
func Fields(u *url.URL, o wire.Options) ([]Field, error) {
	host, agent := HostHeader(u), userAgent
	var rest []Field
	field := func(name, value string) Field {
		return Field{Name: name, Value: o.TemplateOf(value, wire.AsIs, false)}
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
			return nil, fail.New(fail.BadInput, "header %q does not exist in %s", name, VersionOf(o).name).
				WithHint("leave it out, or leave out %s", VersionOf(o).Flag)
		case "te": // RFC 9113 section 8.2.2
			if !strings.EqualFold(value, "trailers") {
				return nil, fail.New(fail.BadInput, "header te is %q, and %s allows only %q", value, VersionOf(o).name,
					"trailers").
					WithHint("-H te:trailers, or leave it out")
			}
			rest = append(rest, field(name, "trailers"))
		default:
			f := field(name, value)
			f.Secret = name == "authorization" || name == "cookie"
			rest = append(rest, f)
		}
	}
	uri, err := URI(u, o)
	if err != nil {
		return nil, err
	}
	return append([]Field{
		field(":method", o.Method), field(":scheme", u.Scheme), {Name: ":path", Value: uri}, field(":authority", host),
		field("user-agent", agent),
	}, rest...), nil
}

// version is a version of HTTP as messages name it, and its flag.
type version struct{ name, Flag string }

// VersionOf is the version that o asks for, which is not HTTP/1.1.
func VersionOf(o wire.Options) version {
	if o.HTTP3 {
		return version{"HTTP/3", "--set http3"}
	}
	return version{"HTTP/2", "--http2"}
}

// Part is a field: what goes in front of its value's length, and the value.
type Part struct {
	Name  []byte
	Value wire.Template
}

// AppendHPACKText appends a string that is not compressed: RFC 7541 section 5.2.
func AppendHPACKText(dst []byte, text string) []byte {
	at := len(dst)
	return InsertHPACKLength(append(dst, text...), at)
}

// InsertHPACKLength puts the length of dst[at:] in front of it. Most values are shorter than 127 bytes.
func InsertHPACKLength(dst []byte, at int) []byte {
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
