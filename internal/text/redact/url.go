package redact

import (
	"net/url"
	"regexp"
	"strings"
)

// URL returns a target without user and password, and without the values of parameters that Secret hides. It need not
// be a valid URL: what is between braces, as in {port}, is a template and stays.
func URL(target string) string {
	head, rest := "", target
	if scheme, after, ok := strings.Cut(target, "://"); ok {
		head, rest = scheme+"://", after
	}
	if head != "" || !strings.HasPrefix(target, "unix:") {
		rest = withoutUser(rest)
	}
	rest, fragment, asked := strings.Cut(rest, "#")
	rest, query, asks := strings.Cut(rest, "?")
	if asks {
		rest += "?" + parameters(query)
	}
	if asked {
		rest += "#" + parameters(fragment)
	}
	return knownForm.ReplaceAllString(head+rest, Mark)
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

// parameters leaves out the secrets of a query or a fragment.
func parameters(query string) string {
	var b strings.Builder
	for query != "" {
		one, separator := query, ""
		if i := strings.IndexAny(query, "&;"); i >= 0 {
			one, separator = query[:i], query[i:i+1]
		}
		query = query[len(one)+len(separator):]
		b.WriteString(parameter(one))
		b.WriteString(separator)
	}
	return b.String()
}

// parameter is one of parameters, which may have no name.
func parameter(one string) string {
	name, value, assigned := strings.Cut(one, "=")
	if !assigned {
		name, value = "", one
	}
	plain, err := url.QueryUnescape(value)
	if err != nil {
		plain = value
	}
	switch {
	case !Secret(name, value) && !Secret(name, plain) && Text(plain) == plain:
		return one
	case assigned:
		return name + "=" + Mark
	}
	return Mark
}

// template is a place that is filled in later.
var template = regexp.MustCompile(`^\{[A-Za-z0-9_.-]+\}$`)
