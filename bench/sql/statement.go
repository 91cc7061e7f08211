package sql

import (
	"regexp"
	"strings"
)

var (
	literal = regexp.MustCompile(`'(?:[^']|'')*'|\$\d+|\?\d*|\b\d+(?:\.\d+)?\b`)
	list    = regexp.MustCompile(`\(\?(?:\s*,\s*\?)*\)`)
	space   = regexp.MustCompile(`\s+`)
)

// normal is a statement as it is compared: without case and superfluous white space, and with ? for each value and each list of values.
func normal(statement string) string {
	text := list.ReplaceAllString(literal.ReplaceAllString(strings.ToLower(statement), "?"), "(?)")
	return strings.TrimRight(strings.TrimSpace(space.ReplaceAllString(text, " ")), "; ")
}
