// Package tidyurl writes addresses so that equal ones have the same text.
package tidyurl

import (
	"net/url"
	"path"
	"strings"
)

// Tidy returns the tidy form of an address.
func Tidy(raw string, o Options) (string, error) {
	address, err := url.Parse(strings.TrimSpace(raw))
	if err != nil {
		return "", err
	}
	o.tidyHost(address)
	o.tidyPath(address)
	if !o.KeepFrag {
		address.Fragment = ""
	}
	address.RawQuery = o.query(address)
	return address.String(), nil
}

// MustTidy is like Tidy, for addresses that are known when the program is written.
func MustTidy(raw string, o Options) string {
	s, err := Tidy(raw, o)
	if err != nil {
		panic("tidyurl: " + err.Error())
	}
	return s
}

func (o *Options) tidyHost(u *url.URL) {
	u.Scheme, u.Host = strings.ToLower(u.Scheme), strings.ToLower(u.Host)
	if u.Host == "" {
		u.Host = o.DefaultHost
	}
	switch u.Scheme {
	case "https":
		u.Host = strings.TrimSuffix(u.Host, ":443")
	case "http":
		u.Host = strings.TrimSuffix(u.Host, ":80")
	}
}

func (o *Options) tidyPath(u *url.URL) {
	clean := path.Clean("/" + u.Path)
	if o.KeepSlash && strings.HasSuffix(u.Path, "/") && clean != "/" {
		clean += "/"
	}
	u.Path = clean
}

// Unique keeps the first of the addresses that are the same when tidy.
func Unique(addresses []string, o Options) (unique []string) {
	known := make(map[string]bool, len(addresses))
	for i := range addresses {
		tidy, err := Tidy(addresses[i], o)
		if err == nil && !known[tidy] {
			known[tidy] = true
			unique = append(unique, tidy)
		}
	}
	return unique
}
