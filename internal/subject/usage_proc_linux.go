package subject

import (
	"bytes"
	"strconv"
)

// parseKeys calls found for each "key: number" line; lines of another form are
// skipped. A unit after the number is left to the caller, who knows it.
func parseKeys(text []byte, found func(key string, value uint64)) {
	for line := range bytes.Lines(text) {
		key, rest, ok := bytes.Cut(line, []byte{':'})
		if !ok {
			continue
		}
		first, _, _ := bytes.Cut(bytes.TrimSpace(rest), []byte{' '})
		if n, err := strconv.ParseUint(string(first), 10, 64); err == nil {
			found(string(key), n)
		}
	}
}
