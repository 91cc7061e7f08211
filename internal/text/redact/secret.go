package redact

import (
	"regexp"
	"slices"
	"strings"
)

// Secret says whether a value is to be hidden: by the name that it stands under, which may be empty, or by its look.
func Secret(name, value string) bool {
	switch {
	case value == "" || value == Mark || strings.HasPrefix(value, hashPrefix) || template.MatchString(value):
		return false
	case nameOf(name) == secretName && !plainValue.MatchString(value):
		// max_tokens and tokens are numbers
		return !strings.HasSuffix(name, "s") || strings.Trim(value, "0123456789") != ""
	case nameOf(name) == keyName && len(value) >= 12 && digit.MatchString(value) && letter.MatchString(value) &&
		!readsAsWords(value):
		return true
	}
	return looksSecret(name, value)
}

// plainValue is what stands under a secret's name and is none: a switch, a place, a file.
var plainValue = regexp.MustCompile(`(?i)^(true|false|yes|no|on|off|none|null|nil|disabled|enabled|optional|required|basic|bearer|\.{0,2}/[^\s/?]+/[^\s?]*|\{[^}]*\})$`)

// What a name says of its value.
const (
	plainName  = iota // nothing
	keyName           // it may be a key of a map or an index as well
	secretName        // it is a secret
)

// Words that make a name one of a secret: wherever they stand in one of its parts, at the end of a part, or as the last
// part. Parts are those of api-key, API_KEY and apiKey.
var (
	secretInside = []string{"password", "passwd", "passphrase", "passwort", "kennwort", "apikey", "sessid"}
	secretEnds   = []string{"token", "secret", "credential", "credentials", "authorization", "session", "sessionid",
		"cookie", "signature",
		"privatekey", "secretkey", "accesskey", "authkey", "masterkey", "sapwd", "sapass"}
	secretLast = []string{"tokens", "secrets", "cookies", "pass", "pw", "pwd", "pswd", "cred", "creds", "passcode",
		"pin", "otp", "auth", "sig", "jwt", "bearer", "csrf", "xsrf", "sas", "sid"}
	// Of these the next part is "key".
	keyOwners = []string{"api", "access", "secret", "private", "encryption", "signing", "master", "shared", "ssh",
		"license", "service",
		"account", "auth", "client", "subscription", "storage", "deploy", "hmac", "aes", "rsa"}
	// A name that ends in one of these says something about a secret.
	aboutSecrets = []string{"type", "name", "timeout", "ttl", "length", "len", "count", "size", "file", "path", "dir",
		"mode", "limit", "expires", "expiry",
		"age", "min", "max", "enabled", "url", "uri", "domain", "method", "scheme", "algorithm", "alg", "provider",
		"version", "format", "interval", "header",
		"prefix", "issuer", "field", "store", "backend", "policy", "secure", "samesite", "required", "duration",
		"lifetime", "cost", "rounds"}
	// These hold values that look like secrets and are none.
	digestParts = []string{"commit", "revision", "rev", "ref", "sha", "hash", "digest", "sum", "checksum", "md", "etag",
		"build", "buildid", "trace", "traceparent", "uuid", "version", "image"}
)

// nameOf judges a name.
func nameOf(name string) int {
	parts := partsOf(name)
	last := len(parts) - 1
	if last < 0 || slices.Contains(aboutSecrets, parts[last]) || counts(parts) {
		return plainName
	}
	for i, part := range parts {
		inside := slices.ContainsFunc(secretInside, func(w string) bool { return strings.Contains(part, w) })
		ends := slices.ContainsFunc(secretEnds, func(w string) bool { return strings.HasSuffix(part, w) })
		if inside || ends || glued(part) || i == last && slices.Contains(secretLast, part) ||
			part == "key" && i > 0 && slices.Contains(keyOwners, parts[i-1]) {
			return secretName
		}
	}
	if slices.Contains(parts, "key") {
		return keyName
	}
	return plainName
}

// counts says that a name is of a number of tokens or sessions: max_tokens.
func counts(parts []string) bool {
	return len(parts) > 1 && slices.Contains([]string{"max", "min", "num", "n", "total", "prompt", "completion",
		"concurrent"}, parts[0])
}

// namePart is a word of a name in any of the usual styles.
var namePart = regexp.MustCompile(`[A-Z]+[a-z]*|[a-z]+`)

func partsOf(name string) []string {
	parts := namePart.FindAllString(name, -1)
	for i, part := range parts {
		parts[i] = strings.ToLower(part)
	}
	return parts
}

// looksSecret says whether a value by itself looks like a secret. Under the name of a digest only a known form does.
func looksSecret(name, value string) bool {
	if knownForm.MatchString(value) {
		return true
	}
	if slices.ContainsFunc(partsOf(name), func(part string) bool { return slices.Contains(digestParts, part) }) ||
		uuid.MatchString(value) {
		return false
	}
	return slices.ContainsFunc(run.FindAllString(value, -1), looksRandom)
}

var (
	// knownForm is what programs and services give out: private keys, JSON Web Tokens, and tokens that begin as AWS,
	// GitHub, GitLab, Slack, Stripe, Google, npm and others mark theirs.
	knownForm = regexp.MustCompile(`-----BEGIN [A-Z ]*PRIVATE KEY|\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]*)?|\b(AKIA|ASIA)[A-Z0-9]{12,}\b` +
		`|\b(gh[pousr]|github_pat|glpat|npm|hf|dop_v1|shpat|sk|rk|sk_live|sk_test|rk_live|whsec|xox[abeprs])[_-][A-Za-z0-9_-]{10,}|\bAIza[A-Za-z0-9_-]{30,}|\bya29\.[A-Za-z0-9_-]+|\bSG\.[A-Za-z0-9_-]{16,}`)
	uuid   = regexp.MustCompile(`^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`)
	run    = regexp.MustCompile(`[A-Za-z0-9+/_-]{16,}=*`)
	alnum  = regexp.MustCompile(`[A-Za-z0-9]{16,}`)
	digit  = regexp.MustCompile(`[0-9]`)
	letter = regexp.MustCompile(`[A-Za-z]`)
	lower  = regexp.MustCompile(`[a-z]`)
	upper  = regexp.MustCompile(`[A-Z]`)
)

// looksRandom says whether a run of letters, digits and what base64 has besides them looks drawn by chance: long, of
// mixed classes, and not made of words. Names, paths and dates have other characters between shorter parts.
func looksRandom(text string) bool {
	for _, part := range alnum.FindAllString(text, -1) {
		mixed := digit.MatchString(part) && letter.MatchString(part)
		both := lower.MatchString(part) && upper.MatchString(part)
		if mixed && (both || len(part) >= 20) && !readsAsWords(part) {
			return true
		}
	}
	parts := len(strings.FieldsFunc(text, func(c rune) bool { return strings.ContainsRune("+/_-=", c) }))
	return len(text) >= 32 && len(text) >= 12*parts && digit.MatchString(text) && lower.MatchString(text) &&
		upper.MatchString(text) && spokenShare(text) < 0.9
}

// syllables are letters as words have them: of one case but for the first, with a vowel.
var syllables = regexp.MustCompile(`[A-Z]?[a-z]+|[A-Z]+`)

// readsAsWords says whether three quarters of the letters of a text belong to words, and digits are not the most of it.
func readsAsWords(text string) bool {
	return spokenShare(text) >= 0.75 && 2*len(letter.FindAllString(text, -1)) >= len(text)
}

// spokenShare is how much of the letters of a text stands in parts that one can speak.
func spokenShare(text string) float64 {
	letters, spoken := 0, 0
	for _, part := range syllables.FindAllString(text, -1) {
		letters += len(part)
		if len(part) >= 3 && strings.ContainsAny(part, "aeiouAEIOU") {
			spoken += len(part)
		}
	}
	return float64(spoken) / float64(max(1, letters))
}
