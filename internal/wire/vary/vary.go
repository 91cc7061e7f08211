// Package vary asks for the same work in another way: with other values in a request, with parts that a program does
// not read, and with the headers of a browser. A check of a gain tells so a cache, and a program that knows hone, from
// work that became cheaper.
package vary

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/gohone/hone/internal/wire"
)

// browserHeaders are those of a script in a page that asks its own server, without a content coding, since answers that
// are packed are other work.
var browserHeaders = []string{
	"User-Agent: Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36",
	"Accept: */*", "Accept-Language: en-US,en;q=0.9", "Accept-Encoding: identity",
	"Sec-Fetch-Site: same-origin", "Sec-Fetch-Mode: cors", "Sec-Fetch-Dest: empty",
}

// grpcHeaders are those of the usual client of gRPC.
var grpcHeaders = []string{"user-agent: grpc-go/1.76.0"}

// LikeOthers are options whose requests look like those of a browser, or of the usual client. The user's own headers
// stay.
func LikeOthers(target string, o wire.Options) wire.Options {
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

// numbered are the schemes of hone's reference services whose requests have a number each.
var numbered = []string{"framed", "rpc", "chat"}

// OneRequest says that the same requests come again and again: nothing in them varies, and they are not a list of the
// user's.
func OneRequest(target string, o wire.Options) bool {
	if scheme, _, _ := strings.Cut(target, ":"); slices.Contains(numbered, scheme) {
		return false
	}
	if o.Sequence || o.IsList() || o.Feed != nil && len(o.Feed.Rows) > 1 {
		return false
	}
	if o.Raw {
		return true
	}
	texts := append([]string{target, string(o.Body)}, o.Headers...)
	for _, r := range o.Requests {
		texts = append(texts, r.Path)
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

// Variation is a way to ask for the same work with requests of which hardly two are the same.
type Variation struct {
	Target  string
	Options wire.Options
	By      string // what the requests differ in
	Values  bool   // in values of their own, and not in what a program leaves unread
}

// All are the ways to vary a target's requests, the one first that most caches cannot follow. hasValues says that
// the requests have values of their own, such as the number of a thing.
func All(target string, o wire.Options) (all []Variation, hasValues bool) {
	if o.Sequence || o.IsList() {
		return nil, false
	}
	if o.Raw { // places have to be filled, and all other braces are not to be
		texts := append([]string{target, string(o.Body)}, o.Headers...)
		if slices.ContainsFunc(texts, func(s string) bool { return strings.Contains(s, "{") }) {
			return nil, true
		}
		o.Raw = false
	}
	withWords, found := otherValues(target, o, true)
	if found.words {
		all = append(all, withWords)
	}
	if found.numbers {
		numbers, _ := otherValues(target, o, false)
		all = append(all, numbers)
	}
	if isHTTP(target) {
		all = append(all, unreadParts(target, o))
	}
	return all, found.words || found.numbers
}

func isHTTP(target string) bool {
	scheme, _, _ := strings.Cut(target, ":")
	return strings.HasPrefix(scheme, "http") || scheme == "unix"
}

// unreadParts varies what the program does not know: a query parameter, one of a form, the white space after JSON.
func unreadParts(target string, o wire.Options) Variation {
	v := Variation{Target: withQuery(target), By: "another query"}
	o.Requests = withPaths(o.Requests, withQuery)
	switch {
	case len(o.Body) == 0:
	case isForm(o):
		o.Body = append(slices.Clone(o.Body), "&"+variedQuery...)
		v.By += " and form"
	case json.Valid(o.Body):
		o.Body = append(slices.Clone(o.Body), "{"+blanks+"}"...)
		o.Feed = withBlanks(o.Feed)
		v.By += " and body"
	}
	v.Options = o
	return v
}

// withPaths are the requests of a mix with other paths. The first has that of the target.
func withPaths(mix []wire.Request, other func(path string) string) []wire.Request {
	mix = slices.Clone(mix)
	for i := range mix {
		if mix[i].Path != "" {
			mix[i].Path = other(mix[i].Path)
		}
	}
	return mix
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
func isForm(o wire.Options) bool {
	return slices.ContainsFunc(o.Headers, func(line string) bool {
		_, value, _ := strings.Cut(line, ":")
		return strings.EqualFold(nameOf(line), "Content-Type") &&
			strings.HasPrefix(strings.TrimSpace(value), "application/x-www-form-urlencoded")
	})
}

// withBlanks is a feed of at most one row with a column of white space, another one in each row.
func withBlanks(f *wire.Feed) *wire.Feed {
	out := &wire.Feed{Names: []string{blanks}}
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
