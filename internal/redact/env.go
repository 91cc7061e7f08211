package redact

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"regexp"
	"slices"
	"strings"
)

// Env hides the values of an environment.
//
// A value becomes the first 12 hexadecimal digits (48 bits) of its HMAC-SHA-256 (RFC 2104) under
// a key that never leaves the ledger's directory. Two runs of one ledger can so be compared
// for equal values. A hash without a key would give short secrets away: a reader of a
// report could try all of them. Those who can read the key can still do so, and those of
// another ledger cannot compare.
//
// Variables of the Go runtime and toolchain that hold no secret, such as GOGC, and places
// for a port stay as they are: they are what was measured.
type Env struct {
	// Key is the ledger's, of 32 bytes.
	Key []byte
	// Keep keeps all values as they are.
	Keep bool
}

// hashPrefix begins a value that was replaced.
const hashPrefix = "hmac:"

// harmless are variables whose values are shown.
var harmless = []string{
	"GOGC", "GOMEMLIMIT", "GOMAXPROCS", "GODEBUG", "GOTRACEBACK", "GOEXPERIMENT", "GOTOOLCHAIN",
	"GOOS", "GOARCH", "GOAMD64", "GOARM", "GOARM64", "CGO_ENABLED",
}

// portOnly is a value that only says where to listen.
var portOnly = regexp.MustCompile(`^((localhost|127\.0\.0\.1|0\.0\.0\.0|\[::1?\])?:)?\{port\}$`)

// open says whether an entry may be shown.
func open(name, value string) bool {
	return value == "" || slices.Contains(harmless, name) || portOnly.MatchString(value)
}

// Entries returns entries KEY=value with their values replaced. The argument stays as it is.
func (e Env) Entries(entries []string) []string {
	out := slices.Clone(entries)
	if e.Keep {
		return out
	}
	for i, entry := range entries {
		if name, value, _ := strings.Cut(entry, "="); !open(name, value) {
			out[i] = name + "=" + hashPrefix + e.Digest(name + "=" + value)[:12]
		}
	}
	return out
}

// Digest is a keyed hash of a text, of 64 hexadecimal digits.
func (e Env) Digest(text string) string {
	h := hmac.New(sha256.New, e.Key)
	h.Write([]byte(text))
	return hex.EncodeToString(h.Sum(nil))
}

// Text is the function Text for texts that may quote these entries: they are replaced as
// Entries does, and so are their values by themselves, if they are long enough (8 bytes) not
// to be found by chance. The hashes are made once, for all texts.
func (e Env) Text(entries []string) func(text string) string {
	if e.Keep {
		return Text
	}
	var pairs []string
	shown := e.Entries(entries)
	for i, entry := range entries {
		if shown[i] != entry {
			pairs = append(pairs, entry, shown[i])
		}
	}
	for i, entry := range entries {
		if _, value, _ := strings.Cut(entry, "="); shown[i] != entry && len(value) >= 8 {
			pairs = append(pairs, value, Mark)
		}
	}
	quoted := strings.NewReplacer(pairs...)
	return func(text string) string { return Text(quoted.Replace(text)) }
}

// Entry is an entry for a message, which has no key: KEY=*** unless the value may be shown.
func Entry(entry string) string {
	name, value, _ := strings.Cut(entry, "=")
	if open(name, value) {
		return entry
	}
	return name + "=" + Mark
}
