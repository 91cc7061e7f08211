package load

import (
	"fmt"
	"strconv"

	"github.com/gohone/hone/internal/text/codes"
)

// codeKey is a code in JSON: the word of an error of RESP, the number of any other.
func codeKey(code uint16) string {
	if word, ok := codes.RESPWord(code); ok {
		return word
	}
	return strconv.Itoa(int(code))
}

// codeOf reads what codeKey writes.
func codeOf(key string) (uint16, error) {
	if codes.IsRESP(key) {
		return codes.OfRESP(key), nil
	}
	code, err := strconv.ParseUint(key, 10, 16)
	if err != nil {
		return 0, fmt.Errorf("status %q is neither a number up to 65535 nor the word of an error of RESP", key)
	}
	return uint16(code), nil
}
