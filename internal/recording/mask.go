package recording

import "strings"

// masked stands in place of a secret.
const masked = "***"

// secretNames are header names whose values open doors; secretWords make a name secret
// wherever they stand in it.
var (
	secretNames = []string{"authorization", "proxy-authorization", "cookie", "set-cookie"}
	secretWords = []string{"token", "secret", "password", "api-key", "apikey", "credential", "session"}
)

// Mask returns header lines ("Name: value") with the values of secret ones replaced, so
// that they can be written down. The argument stays as it is.
func Mask(headers []string) []string {
	if headers == nil {
		return nil
	}
	out := make([]string, len(headers))
	for i, line := range headers {
		out[i] = line
		// A line without a colon may still be "Cookie a=b", mistyped.
		if end := strings.IndexAny(strings.TrimLeft(line, " \t"), ": \t="); end > 0 {
			end += len(line) - len(strings.TrimLeft(line, " \t"))
			if name := strings.TrimSpace(line[:end]); secret(name) {
				out[i] = name + ": " + masked
			}
		}
	}
	return out
}

func secret(name string) bool {
	name = strings.ToLower(name)
	for _, s := range secretNames {
		if name == s {
			return true
		}
	}
	for _, w := range secretWords {
		if strings.Contains(name, w) {
			return true
		}
	}
	return false
}

// MaskTarget returns the address of a target without the user and password that may
// stand in front of its host.
func MaskTarget(target string) string {
	if strings.HasPrefix(target, "unix:") {
		return target
	}
	host := 0
	if i := strings.Index(target, "://"); i >= 0 {
		host = i + len("://")
	}
	end := len(target)
	if i := strings.IndexAny(target[host:], "/?#"); i >= 0 {
		end = host + i
	}
	at := strings.LastIndexByte(target[host:end], '@')
	if at < 0 {
		return target
	}
	return target[:host] + masked + target[host+at:]
}
