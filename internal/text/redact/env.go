package redact

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
)

// Env hides the values of an environment that Secret calls one, or that hold one, such as a URL with a password.
//
// Such a value becomes the first 12 hexadecimal digits (48 bits) of its HMAC-SHA-256 (RFC 2104) under
// a key that never leaves the ledger's directory. Two runs of one ledger can so be compared
// for equal values. A hash without a key would give short secrets away: a reader of a
// report could try all of them. Those who can read the key can still do so, and those of
// another ledger cannot compare.
type Env struct {
	// Key is the ledger's, of 32 bytes.
	Key []byte
	// Keep keeps all values as they are.
	Keep bool
}

// hashPrefix begins a value that was replaced.
const hashPrefix = "hmac:"

// Entries returns entries KEY=value with their values replaced. The argument stays as it is.
func (e Env) Entries(entries []string) []string {
	out := slices.Clone(entries)
	if e.Keep {
		return out
	}
	for i, entry := range entries {
		if name, value, _ := strings.Cut(entry, "="); hidden(name, value) {
			out[i] = name + "=" + hashPrefix + e.Digest(name + "=" + value)[:12]
		}
	}
	return out
}

// hidden says whether a value of an environment is left out: whole, so that its hash is of all of it.
func hidden(name, value string) bool {
	return Secret(name, value) || !strings.HasPrefix(value, hashPrefix) && Value(value) != value
}

// Digest is a keyed hash of a text, of 64 hexadecimal digits.
func (e Env) Digest(text string) string {
	h := hmac.New(sha256.New, e.Key)
	h.Write([]byte(text))
	return hex.EncodeToString(h.Sum(nil))
}

// Text is the function Text for texts that may quote these entries: those that hold a secret are replaced as Entries
// does, and their values by themselves, if they are long enough (8 bytes) not to be found by chance. So are the values
// of further entries, which are secrets whatever they look like. The hashes are made once, for all texts.
func (e Env) Text(entries, secrets []string) func(text string) string {
	if e.Keep {
		return Text
	}
	var pairs, values []string
	shown := e.Entries(entries)
	for i, entry := range entries {
		if shown[i] != entry {
			pairs, values = append(pairs, entry, shown[i]), append(values, entry)
		}
	}
	for _, entry := range slices.Concat(values, secrets) {
		if _, value, _ := strings.Cut(entry, "="); len(value) >= 8 {
			pairs = append(pairs, value, Mark)
		}
	}
	quoted := strings.NewReplacer(pairs...)
	return func(text string) string { return Text(quoted.Replace(text)) }
}

// Entry is an entry for a message, which has no key: KEY=*** where the value holds a secret.
func Entry(entry string) string {
	name, value, _ := strings.Cut(entry, "=")
	if !hidden(name, value) {
		return entry
	}
	return name + "=" + Mark
}
