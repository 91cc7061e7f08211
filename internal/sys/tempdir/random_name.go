package tempdir

import (
	"crypto/rand"
	"strings"
)

// RandomName is a name that no other start has.
func RandomName() string { return strings.ToLower(rand.Text()[:8]) }
