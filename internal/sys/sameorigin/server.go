package sameorigin

import "net/url"

// ParseServer reads the address of a server that hone sends requests to: scheme, host and, if it has one, a path. fault
// says what is wrong with it; empty if nothing is.
func ParseServer(address string) (u *url.URL, fault string) {
	u, err := url.Parse(address)
	switch {
	case err != nil:
		return nil, "it is not a URL"
	case u.Scheme != "http" && u.Scheme != "https":
		return nil, "its scheme is neither https nor http"
	case u.Hostname() == "":
		return nil, "it has no host"
	case u.User != nil:
		return nil, "it holds a user or a password: --user and the environment are for them"
	case u.RawQuery != "" || u.Fragment != "":
		return nil, "it has a query or a fragment"
	}
	return u, ""
}
