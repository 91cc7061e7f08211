package redact

import "strings"

// Headers returns header lines ("Name: value") without the values that Secret hides. The argument stays as it is.
func Headers(lines []string) []string {
	var out []string
	for _, line := range lines {
		out = append(out, Header(line))
	}
	return out
}

// Header is one of Headers.
func Header(line string) string {
	name, value := strings.TrimSpace(line), ""
	// A line without a colon may still be "Cookie a=b", mistyped.
	if end := strings.IndexAny(name, ": \t="); end > 0 {
		name, value = name[:end], strings.TrimLeft(name[end:], ": \t=")
	}
	if Secret(name, value) {
		return name + ": " + Mark
	}
	return Value(line)
}
