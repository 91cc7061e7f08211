package wire

import (
	"bytes"
	"slices"
	"strings"
)

// FoldEqual compares with lower, which is in lower case, ignoring ASCII case.
func FoldEqual(b []byte, lower string) bool {
	if len(b) != len(lower) {
		return false
	}
	for i, c := range b {
		if 'A' <= c && c <= 'Z' {
			c |= 0x20
		}
		if c != lower[i] {
			return false
		}
	}
	return true
}

// HasToken says whether a comma-separated list holds a token.
func HasToken(list []byte, lower string) bool {
	for item := []byte(nil); len(list) > 0; {
		item, list, _ = bytes.Cut(list, []byte(","))
		if FoldEqual(bytes.Trim(item, " \t"), lower) {
			return true
		}
	}
	return false
}

// Decimal reads a number of 1 to 18 digits, which fit an int64.
func Decimal(b []byte) (n int64, ok bool) {
	if len(b) == 0 || len(b) > 18 {
		return 0, false
	}
	for _, c := range b {
		if c < '0' || c > '9' {
			return 0, false
		}
		n = n*10 + int64(c-'0')
	}
	return n, true
}

// Hexadecimal reads a number of 1 to 15 digits, which fit an int64.
func Hexadecimal(b []byte) (n int64, ok bool) {
	if len(b) == 0 || len(b) > 15 {
		return 0, false
	}
	for _, c := range b {
		switch {
		case '0' <= c && c <= '9':
			c -= '0'
		case 'a' <= c|0x20 && c|0x20 <= 'f':
			c = c | 0x20 - 'a' + 10
		default:
			return 0, false
		}
		n = n<<4 | int64(c)
	}
	return n, true
}

// AnyHeader says whether a header of that name has a value that is meant; white space around
// the value is cut off.
func AnyHeader(headers []string, name string, meant func(value string) bool) bool {
	return slices.ContainsFunc(headers, func(line string) bool {
		own, value, _ := strings.Cut(line, ":")
		return strings.EqualFold(own, name) && meant(strings.TrimSpace(value))
	})
}

// TokenBytes is the set of bytes that tokens are made of (RFC 9110 section 5.6.2); it never
// changes.
var TokenBytes = func() (set [256]bool) {
	for c := range set {
		set[c] = isAlphanumeric(byte(c)) || strings.IndexByte("!#$%&'*+-.^_`|~", byte(c)) >= 0
	}
	return set
}()
