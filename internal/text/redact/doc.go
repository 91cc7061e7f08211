// Package redact takes secrets out of what hone stores and prints: the one set of rules for
// documents, reports, JSON, recordings and messages.
//
// A value is a secret by the name that it stands under (password, token, Authorization, api_key, ...), or by its look:
// a known form such as a JSON Web Token, or long and drawn by chance (Secret). Everything else stays, so that what was
// measured can be read, and measured again.
//
//   - URLs lose user and password, and parameters that are secrets (URL).
//   - Entries of the environment keep their name; a secret becomes a keyed hash (Env), which
//     still tells whether two runs had the same.
//   - Header lines keep their name (Headers).
//   - Arguments lose the secrets of flags and what URLs in them lose (Args).
//   - Any other text, such as an error, loses the same (Text).
//
// Mark stands instead of what was removed. A secret in a path, a short one under an innocent name, or one in the output
// of the program is not recognised.
package redact

import "strings"

// Mark stands instead of a secret.
const Mark = "***"

// Partial says whether something was left out of a text, so that it does not do as a command.
func Partial(text string) bool {
	return strings.Contains(text, Mark) || strings.Contains(text, "="+hashPrefix)
}
