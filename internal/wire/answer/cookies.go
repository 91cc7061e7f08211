package answer

import (
	"bytes"
	"cmp"
	"net"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Cookie says which cookie of an answer a value is. An answer may set several of one name.
type Cookie struct {
	Name string
	// From is the path of the request, To that of the request that the value is for, both without query.
	From, To string
	Host     string // of the target, without its port
	TLS      bool
}

// setCookie is what one Set-Cookie line says of the cookie.
type setCookie struct {
	domain, path string
	value        []byte
	secure, gone bool
}

// read reads a Set-Cookie line as RFC 6265 section 5.2 says; not ok: it is of another cookie.
func (c *Cookie) read(line []byte) (one setCookie, ok bool) {
	pair, rest, _ := bytes.Cut(line, []byte(";"))
	name, value, ok := bytes.Cut(pair, []byte("="))
	if !ok || string(bytes.TrimSpace(name)) != c.Name {
		return one, false
	}
	one = setCookie{domain: strings.ToLower(c.Host), path: defaultPath(c.From), value: bytes.TrimSpace(value)}
	var age string
	var expires time.Time
	for len(rest) > 0 {
		pair, rest, _ = bytes.Cut(rest, []byte(";"))
		key, value, _ := strings.Cut(string(pair), "=")
		value = strings.TrimSpace(value)
		switch strings.ToLower(strings.TrimSpace(key)) {
		case "domain":
			if domain := strings.TrimPrefix(value, "."); domain != "" {
				one.domain = strings.ToLower(domain)
			}
		case "path":
			if one.path = value; !strings.HasPrefix(value, "/") {
				one.path = defaultPath(c.From)
			}
		case "secure":
			one.secure = true
		case "max-age":
			if _, err := strconv.ParseInt(value, 10, 64); err == nil {
				age = value
			}
		case "expires":
			expires = dateOf(value)
		}
	}
	if age != "" {
		one.gone = age[0] == '-' || strings.Trim(age, "+0") == ""
	} else {
		one.gone = !expires.IsZero() && expires.Before(time.Now())
	}
	return one, true
}

// dates are the layouts of Expires: those of RFC 9110 section 5.6.7, and what servers write instead.
var dates = []string{
	"Mon, 2 Jan 2006 15:04:05 MST", "Mon, 2-Jan-2006 15:04:05 MST", "Monday, 2-Jan-06 15:04:05 MST", time.ANSIC,
	"Mon, 2-Jan-06 15:04:05 MST", "Mon, 2 Jan 2006 15:04:05 -0700",
}

// dateOf is a date; zero if it is none, so that the attribute is ignored.
func dateOf(text string) time.Time {
	for _, layout := range dates {
		if at, err := time.Parse(layout, text); err == nil {
			return at
		}
	}
	return time.Time{}
}

// store puts a cookie among those before: it replaces one of the same domain and path, or deletes it (section 5.3).
func store(all []setCookie, one setCookie) []setCookie {
	i := slices.IndexFunc(all, func(o setCookie) bool { return o.domain == one.domain && o.path == one.path })
	switch {
	case one.gone && i >= 0:
		return slices.Delete(all, i, i+1)
	case one.gone:
		return all
	case i >= 0:
		all[i] = one
		return all
	}
	return append(all, one)
}

// choose returns the value that a browser would send first with the request it is for: of the cookies for its host and
// path, and over TLS where that is asked for, the one with the longest path (section 5.4). Where none is, the first
// that was set is what the user asks for nevertheless: the request names it itself.
func (c *Cookie) choose(all []setCookie) []byte {
	if len(all) == 0 {
		return nil
	}
	var sent []setCookie
	for _, one := range all {
		if domainMatches(strings.ToLower(c.Host), one.domain) && pathMatches(c.To, one.path) &&
			(!one.secure || c.safe()) {
			sent = append(sent, one)
		}
	}
	if len(sent) == 0 {
		return all[0].value
	}
	slices.SortStableFunc(sent, func(a, b setCookie) int { return cmp.Compare(len(b.path), len(a.path)) })
	return sent[0].value
}

// safe says that cookies with the attribute Secure are sent: over TLS, and to this machine, as browsers and curl do.
func (c *Cookie) safe() bool {
	ip := net.ParseIP(strings.Trim(c.Host, "[]"))
	return c.TLS || c.Host == "localhost" || ip != nil && ip.IsLoopback()
}

func domainMatches(host, domain string) bool {
	return host == domain || strings.HasSuffix(host, "."+domain) && net.ParseIP(host) == nil
}

// defaultPath is the path of a cookie that names none, and pathMatches says to which requests it goes (section 5.1.4).
func defaultPath(from string) string {
	if i := strings.LastIndexByte(from, '/'); i > 0 {
		return from[:i]
	}
	return "/"
}

func pathMatches(to, path string) bool {
	return to == path || strings.HasPrefix(to, path) && (strings.HasSuffix(path, "/") || to[len(path)] == '/')
}
