package wire

import (
	"slices"
	"strings"

	"github.com/gohone/hone/internal/text/redact"
)

// Request is one request of a load, without the address that it goes to. What it does not say is as Options have it.
type Request struct {
	// Name is what reports call a step; empty: its method and path.
	Name string `json:"name,omitempty"`
	// Method is empty for that of Options.
	Method string `json:"method,omitempty"`
	// Path is the path and the query, encoded as on the wire. It begins with a slash. In a mix it may be a URL, and
	// it is empty for the target's own.
	//
	// {name} in it, in the values of headers and in the body stands for a column of the feed, for a place of hone's or,
	// in a sequence, for a value that a step before takes.
	Path string `json:"path,omitempty"`
	// Headers are lines, "Name: value".
	Headers []string `json:"headers,omitempty"`
	Body    []byte   `json:"body,omitempty"`
	// Raw sends braces as they are, as Options.Raw.
	Raw bool `json:"raw,omitempty"`
	// Weight is its share of the requests; 0 means 1.
	Weight int `json:"weight,omitempty"`
	// Once is of a sequence: only at the beginning of a connection, and after a wrong answer. The other steps repeat.
	Once   bool   `json:"once,omitempty"`
	Take   []Take `json:"take,omitempty"`
	Expect Expect `json:"expect,omitzero"`
}

// Of are the options for one request of theirs: what it says itself stands instead of what they say of all.
func (o Options) Of(r Request) Options {
	o.Headers, o.Raw = MergeHeaders(r.Headers, o.Headers), o.Raw || r.Raw
	if r.Method != "" {
		o.Method = r.Method
	}
	if r.Body != nil {
		o.Body = r.Body
	}
	if IsSet(r.Expect) {
		o.Expect = r.Expect
	}
	return o
}

// IsMix says that the requests are the target itself and further ones, which share its method, headers and body.
func (o *Options) IsMix() bool { return len(o.Requests) > 0 && !o.Sequence && o.Requests[0].Path == "" }

// IsList says that the requests take turns, each with a method and a body of its own.
func (o *Options) IsList() bool {
	return len(o.Requests) > 0 && !o.Sequence && o.Requests[0].Path != ""
}

// StoredRequests are requests as a document may keep them: without bodies and values that may be secrets.
func StoredRequests(all []Request) (stored []Request) {
	for _, r := range all {
		r.Path, r.Headers, r.Body = redact.URL(r.Path), redact.Headers(r.Headers), nil
		for _, text := range []*string{&r.Expect.Body, &r.Expect.JSON} {
			if *text != "" {
				*text = redact.Mark
			}
		}
		stored = append(stored, r)
	}
	return stored
}

// MergeHeaders are the lines of a request, with those given instead of the same name.
func MergeHeaders(own, given []string) (all []string) {
	for _, line := range own {
		name, _, _ := strings.Cut(line, ":")
		if !slices.ContainsFunc(given, func(g string) bool {
			other, _, _ := strings.Cut(g, ":")
			return strings.EqualFold(strings.TrimSpace(other), strings.TrimSpace(name))
		}) {
			all = append(all, line)
		}
	}
	return append(all, given...)
}
