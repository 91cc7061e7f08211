// Package tidyurl writes addresses so that equal ones have the same text.
package tidyurl

import (
	"net/url"
	"path"
	"sort"
	"strings"
)

// Options say what of an address does not matter.
type Options struct {
	DropQuery   []string // names of parameters
	KeepSlash   bool
	KeepFrag    bool
	DefaultHost string
}

// Tidy returns the tidy form of an address.
func Tidy(raw string, o Options) (string, error) {
	u, err := url.Parse(strings.TrimSpace(raw))
	if err != nil {
		return "", err
	}
	u.Scheme = strings.ToLower(u.Scheme)
	host := strings.ToLower(u.Host)
	if host == "" {
		host = o.DefaultHost
	}
	if u.Scheme == "http" {
		host = strings.TrimSuffix(host, ":80")
	}
	if u.Scheme == "https" {
		host = strings.TrimSuffix(host, ":443")
	}
	u.Host = host
	slash := strings.HasSuffix(u.Path, "/")
	clean := path.Clean("/" + u.Path)
	if slash && o.KeepSlash && clean != "/" {
		clean += "/"
	}
	u.Path = clean
	if !o.KeepFrag {
		u.Fragment = ""
	}
	u.RawQuery = tidyQuery(u.Query(), o.DropQuery)
	return u.String(), nil
}

func tidyQuery(values url.Values, drop []string) string {
	keys := make([]string, 0, len(values))
	dropped := func(key string) bool {
		for _, d := range drop {
			if d == key || strings.HasSuffix(d, "*") && strings.HasPrefix(key, d[:len(d)-1]) {
				return true
			}
		}
		return false
	}
	for k := range values {
		if !dropped(k) {
			keys = append(keys, k)
		}
	}
	sort.Strings(keys)
	var b strings.Builder
	for _, k := range keys {
		for _, v := range values[k] {
			if b.Len() > 0 {
				b.WriteByte('&')
			}
			b.WriteString(url.QueryEscape(k))
			b.WriteByte('=')
			b.WriteString(url.QueryEscape(v))
		}
	}
	return b.String()
}

// Unique keeps the first of the addresses that are the same when tidy.
func Unique(addresses []string, o Options) []string {
	seen := make(map[string]bool, len(addresses))
	var out []string
	for _, a := range addresses {
		t, err := Tidy(a, o)
		if err != nil || seen[t] {
			continue
		}
		seen[t] = true
		out = append(out, t)
	}
	return out
}
