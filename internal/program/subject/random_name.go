package subject

import (
	"crypto/rand"
	"strings"
)

// randomName is a name that no other start has.
func randomName() string { return strings.ToLower(rand.Text()[:8]) }
