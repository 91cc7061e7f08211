package lab

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/gohone/hone/internal/protocol"
)

// browserHeaders are those of a script in a page that asks its own server, without a content coding, since answers that are
// packed are other work.
var browserHeaders = []string{
	"User-Agent: Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36",
	"Accept: */*", "Accept-Language: en-US,en;q=0.9", "Accept-Encoding: identity",
	"Sec-Fetch-Site: same-origin", "Sec-Fetch-Mode: cors", "Sec-Fetch-Dest: empty",
}

// grpcHeaders are those of the usual client of gRPC.
var grpcHeaders = []string{"user-agent: grpc-go/1.76.0"}

// asOthers are options whose requests look like those of a browser, or of the usual client. The user's own headers stay.
func asOthers(target string, o protocol.Options) protocol.Options {
	var add []string
	switch scheme, _, _ := strings.Cut(target, ":"); {
	case strings.HasPrefix(scheme, "grpc"):
		add = grpcHeaders
	case strings.HasPrefix(scheme, "http"), scheme == "unix", strings.HasPrefix(scheme, "ws"):
		add = browserHeaders
	}
	own := slices.Clone(o.Headers)
	for _, r := range o.Requests {
		own = append(own, r.Headers...)
	}
	for _, s := range o.Steps {
		own = append(own, s.Headers...)
	}
	o.Headers = slices.Clone(o.Headers)
	for _, line := range add {
		if !slices.ContainsFunc(own, func(have string) bool { return strings.EqualFold(nameOf(have), nameOf(line)) }) {
			o.Headers = append(o.Headers, line)
		}
	}
	return o
}

// nameOf is the name of a header line.
func nameOf(line string) string {
	name, _, _ := strings.Cut(line, ":")
	return strings.TrimSpace(name)
}

// oneRequest says that the same requests come again and again: nothing in them varies, and they are no list of the user's.
func oneRequest(target string, o protocol.Options) bool {
	if len(o.Requests) > 0 || len(o.Steps) > 0 || o.Feed != nil && len(o.Feed.Rows) > 1 {
		return false
	}
	if o.Raw {
		return true
	}
	texts := append([]string{target, string(o.Body)}, o.Headers...)
	for _, w := range o.Mix {
		texts = append(texts, w.URL)
	}
	return !slices.ContainsFunc(texts, func(s string) bool {
		return strings.Contains(s, "{n}") || strings.Contains(s, "{n:") || strings.Contains(s, "{rand:")
	})
}

const (
	// variedQuery is the parameter that pages add to an address to get past a cache.
	variedQuery = "_={n}"
	// blanks is the column of white space after a body, and blankBits how many blanks or tabs it has.
	blanks, blankBits = "white space after the body", 14
)

// varied has no two requests of a target the same: each has another value of a query parameter that the program does not
// know, and a body in JSON or of a form differs, too. by says in what they differ; it is empty where hone cannot do that.
func varied(target string, o protocol.Options) (_ string, _ protocol.Options, by string) {
	scheme, _, _ := strings.Cut(target, ":")
	if !strings.HasPrefix(scheme, "http") && scheme != "unix" || len(o.Requests) > 0 || len(o.Steps) > 0 {
		return target, o, ""
	}
	if o.Raw { // {n} has to be filled, and all other braces are not to be
		texts := append([]string{target, string(o.Body)}, o.Headers...)
		if slices.ContainsFunc(texts, func(s string) bool { return strings.Contains(s, "{") }) {
			return target, o, ""
		}
		o.Raw = false
	}
	target, by = withQuery(target), "another query"
	o.Mix = slices.Clone(o.Mix)
	for i := range o.Mix {
		o.Mix[i].URL = withQuery(o.Mix[i].URL)
	}
	switch {
	case len(o.Body) == 0:
	case isForm(o):
		o.Body = append(slices.Clone(o.Body), "&"+variedQuery...)
		by += " and form"
	case json.Valid(o.Body):
		o.Body = append(slices.Clone(o.Body), "{"+blanks+"}"...)
		o.Feed = withBlanks(o.Feed)
		by += " and body"
	}
	return target, o, by
}

// withQuery adds the parameter to a URL.
func withQuery(target string) string {
	target, _, _ = strings.Cut(target, "#")
	if strings.Contains(target, "?") {
		return target + "&" + variedQuery
	}
	return target + "?" + variedQuery
}

// isForm says that the body is a form as HTML sends it.
func isForm(o protocol.Options) bool {
	return slices.ContainsFunc(o.Headers, func(line string) bool {
		_, value, _ := strings.Cut(line, ":")
		return strings.EqualFold(nameOf(line), "Content-Type") && strings.HasPrefix(strings.TrimSpace(value), "application/x-www-form-urlencoded")
	})
}

// withBlanks is a feed of at most one row with a column of white space, another one in each row.
func withBlanks(f *protocol.Feed) *protocol.Feed {
	out := &protocol.Feed{Names: []string{blanks}}
	var before []string
	if f != nil {
		out.Names, before = append(slices.Clone(f.Names), blanks), f.Rows[0]
	}
	for i := range 1 << blankBits {
		var b strings.Builder
		for bit := range blankBits {
			b.WriteByte(" \t"[i>>bit&1])
		}
		out.Rows = append(out.Rows, append(slices.Clone(before), b.String()))
	}
	return out
}
