package redact

import (
	"regexp"
	"strings"
)

// URL returns a target without user, password, values of parameters and fragment. It need not
// be a valid URL: what is between braces, as in {port}, is a template and stays.
func URL(target string) string {
	head, rest := "", target
	if scheme, after, ok := strings.Cut(target, "://"); ok {
		head, rest = scheme+"://", after
	}
	if head != "" || !strings.HasPrefix(target, "unix:") {
		rest = withoutUser(rest)
	}
	rest, _, fragment := strings.Cut(rest, "#")
	rest, query, asks := strings.Cut(rest, "?")
	if asks {
		rest += "?" + parameters(query)
	}
	if fragment {
		rest += "#" + Mark
	}
	return head + rest
}

// withoutUser leaves out what stands before the host. A password may hold characters that
// ought to be escaped, and then looks like a port or the beginning of a path: what is no
// host with a port is left out up to the last @.
func withoutUser(rest string) string {
	authority := rest
	if i := strings.IndexAny(rest, "/?#"); i >= 0 {
		authority = rest[:i]
	}
	at := strings.LastIndexByte(authority, '@')
	if host := authority[at+1:]; !hostPort.MatchString(host) || at >= 0 && host == "" {
		at = strings.LastIndexByte(rest, '@')
	}
	if at < 0 {
		return rest
	}
	return Mark + rest[at:]
}

// hostPort is a host without a user: a name, an address or a template, and maybe a port.
var hostPort = regexp.MustCompile(`^(\[[^\]]*\]|[^:]*)(:([0-9]*|\{[^}]*\}))?$`)

// parameters leaves out the values of a query.
func parameters(query string) string {
	var b strings.Builder
	for query != "" {
		one, separator := query, ""
		if i := strings.IndexAny(query, "&;"); i >= 0 {
			one, separator = query[:i], query[i:i+1]
		}
		query = query[len(one)+len(separator):]
		name, value, assigned := strings.Cut(one, "=")
		switch {
		case !assigned && one != "" && !template.MatchString(one):
			b.WriteString(Mark) // a value without a name
		case assigned && value != "" && !template.MatchString(value):
			b.WriteString(name + "=" + Mark)
		default:
			b.WriteString(one)
		}
		b.WriteString(separator)
	}
	return b.String()
}

// template is a place that is filled in later.
var template = regexp.MustCompile(`^\{[A-Za-z0-9_.-]+\}$`)
