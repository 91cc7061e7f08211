package wire

import "strings"

// AppendEscaped appends s to dst, every byte that is not in the set percent-encoded
// (RFC 3986 section 2.1).
func AppendEscaped(dst []byte, s string, in func(c byte) bool) []byte {
	const hex = "0123456789ABCDEF"
	for i := range len(s) {
		if c := s[i]; in(c) {
			dst = append(dst, c)
		} else {
			dst = append(dst, '%', hex[c>>4], hex[c&15])
		}
	}
	return dst
}

// escapedLen is how many bytes AppendEscaped appends.
func escapedLen(s string, in func(c byte) bool) int {
	n := len(s)
	for i := range len(s) {
		if !in(s[i]) {
			n += 2
		}
	}
	return n
}

// IsUnreserved: RFC 3986 section 2.3. All other bytes of a value are encoded, so that
// none of them ends the part of the URL that it stands in.
func IsUnreserved(c byte) bool {
	return isAlphanumeric(c) || strings.IndexByte("-._~", c) >= 0
}

// EscapePath encodes what may not stand in a path as the user wrote it, and leaves what
// is encoded already. Brackets stay, as common servers and net/url have it.
func EscapePath(s string) string {
	return string(AppendEscaped(nil, s, func(c byte) bool {
		return IsUnreserved(c) || strings.IndexByte("!$&'()*+,;=:@/%[]", c) >= 0
	}))
}

// EscapeQuery is EscapePath for a query (RFC 3986 section 3.4).
func EscapeQuery(s string) string {
	return string(AppendEscaped(nil, s, func(c byte) bool {
		return IsUnreserved(c) || strings.IndexByte("!$&'()*+,;=:@/%[]?", c) >= 0
	}))
}

func isAlphanumeric(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
}
