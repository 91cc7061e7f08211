// Package redact takes secrets out of what hone stores and prints: the one set of rules for
// documents, reports, JSON, recordings and messages.
//
//   - URLs lose user and password, the values of their query and their fragment; names of
//     parameters and the path stay (URL).
//   - Entries of the environment keep their name; the value becomes a keyed hash (Env), which
//     still tells whether two runs had the same.
//   - Header lines keep their name (Headers), but for a few that describe a request.
//   - Arguments keep all but the values of flags whose name looks like a secret's, and what
//     URLs in them lose (Args).
//   - Any other text, such as an error, loses the same (Text).
//
// Mark stands in place of what was removed. A secret in a path, in an argument with an
// innocent name, or in the output of the program is not recognised.
package redact

import "strings"

// Mark stands in place of a secret.
const Mark = "***"

// Partial says whether something was left out of a text, so that it does not do as a command.
func Partial(text string) bool {
	return strings.Contains(text, Mark) || strings.Contains(text, "="+hashPrefix)
}
