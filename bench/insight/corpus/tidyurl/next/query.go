package tidyurl

import (
	"net/url"
	"slices"
	"strings"
)

// Options say what of an address does not matter.
type Options struct {
	DropQuery   []string // names of parameters, or their beginnings with a star
	KeepSlash   bool
	KeepFrag    bool
	DefaultHost string
}

// query has the parameters that matter, by their names.
func (o *Options) query(u *url.URL) string {
	values := u.Query()
	names := make([]string, 0, len(values))
	for name := range values {
		if o.drops(name) {
			continue
		}
		names = append(names, name)
	}
	slices.Sort(names)
	var text strings.Builder
	for _, name := range names {
		for _, value := range values[name] {
			writeParameter(&text, name, value)
		}
	}
	return text.String()
}

func writeParameter(b *strings.Builder, name, value string) {
	if b.Len() != 0 {
		b.WriteByte('&')
	}
	b.WriteString(url.QueryEscape(name))
	b.WriteByte('=')
	b.WriteString(url.QueryEscape(value))
}

func (o *Options) drops(name string) bool {
	for i := range o.DropQuery {
		if matches(o.DropQuery[i], name) {
			return true
		}
	}
	return false
}

func matches(pattern, name string) bool {
	if pattern == name {
		return true
	}
	start, star := strings.CutSuffix(pattern, "*")
	return star && strings.HasPrefix(name, start)
}
