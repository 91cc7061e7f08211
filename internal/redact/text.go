package redact

import (
	"regexp"
	"slices"
	"strings"
)

// Text returns a text that may have secrets in it, such as an error or a command line, without
// those that can be recognised: in URLs, behind names that look like a secret's
// (password=..., TOKEN=...), and in header lines such as Authorization.
func Text(text string) string {
	text = headerInText.ReplaceAllString(text, "${1}: "+Mark)
	text = urlInText.ReplaceAllStringFunc(text, func(found string) string {
		end := len(strings.TrimRight(found, "'),.;:"))
		return URL(found[:end]) + found[end:]
	})
	return assignment.ReplaceAllStringFunc(text, func(found string) string {
		name, value, _ := strings.Cut(found, "=")
		if !secretName(name) || strings.HasPrefix(value, hashPrefix) {
			return found
		}
		return name + "=" + Mark
	})
}

var (
	urlInText    = regexp.MustCompile("[A-Za-z][A-Za-z0-9+.-]*://[^\\s\"<>`]+")
	assignment   = regexp.MustCompile(`[A-Za-z_][A-Za-z0-9_.-]*=("[^"]*"|'[^']*'|[^\s&"']+)`)
	headerInText = regexp.MustCompile(`(?i)\b((?:proxy-)?authorization|(?:set-)?cookie):[ \t]*[^\r\n"']+`)
)

// Args returns arguments of a program without the values of flags whose name looks like a
// secret's: -name=value, --name value. The rest of each goes through Text. The argument
// stays as it is.
func Args(words []string) []string {
	out := slices.Clone(words)
	for i, word := range words {
		flag, _, assigned := strings.Cut(strings.TrimLeft(word, "-"), "=")
		isFlag := strings.HasPrefix(word, "-") && secretName(flag)
		switch {
		case isFlag && assigned:
			out[i] = word[:strings.IndexByte(word, '=')+1] + Mark
		case isFlag && i+1 < len(words) && !strings.HasPrefix(words[i+1], "-"):
			out[i+1] = Mark
		case out[i] != Mark:
			out[i] = Text(word)
		}
	}
	return out
}

// Words that make a name one of a secret wherever they stand in it, and those that do so as a
// part by themselves, as in api-key, API_KEY and apiKey.
var (
	secretWords = []string{"password", "passwd", "passphrase", "secret", "token", "credential", "apikey"}
	secretParts = []string{"key", "pass", "pwd", "auth", "authorization", "cookie", "dsn"}
)

// secretName says whether a flag or variable of that name may hold a secret.
func secretName(name string) bool {
	lower := strings.ToLower(name)
	for _, w := range secretWords {
		if strings.Contains(lower, w) {
			return true
		}
	}
	for _, part := range namePart.FindAllString(name, -1) {
		if slices.Contains(secretParts, strings.ToLower(part)) {
			return true
		}
	}
	return false
}

// namePart is a word of a name in any of the usual styles.
var namePart = regexp.MustCompile(`[A-Z]+[a-z]*|[a-z]+`)
