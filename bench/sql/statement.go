package sql

import (
	"regexp"
	"strings"
)

var (
	literal = regexp.MustCompile(`'(?:[^']|'')*'|\$\d+|\?\d*|\b\d+(?:\.\d+)?\b`)
	space   = regexp.MustCompile(`\s+`)
)

// normal is a statement as it is compared: without case and superfluous white space, and with ? for each value.
func normal(statement string) string {
	text := literal.ReplaceAllString(strings.ToLower(statement), "?")
	return strings.TrimRight(strings.TrimSpace(space.ReplaceAllString(text, " ")), "; ")
}
