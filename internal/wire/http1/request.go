package http1

import (
	"net/url"
	"strconv"

	"github.com/gohone/hone/internal/wire"
	"github.com/gohone/hone/internal/wire/httpmsg"
	"github.com/gohone/hone/internal/wire/turns"
)

// request is one target's request: a head, a Content-Length where there is content, and a body.
type request struct {
	fixed      []byte // all of it, where no column is in it: then head and body are empty, since a list may have many
	head, body wire.Template
	content    bool
}

// newRequest builds the request for the path and query of u, to the address in its Host. It says whether the number of
// the request is in it.
func newRequest(u *url.URL, o wire.Options) (r *request, numbered bool, err error) {
	uri, err := httpmsg.URI(u, o)
	if err != nil {
		return nil, false, err
	}
	lines, err := httpmsg.HeaderLines(u, o)
	if err == nil {
		err = o.CheckPlaces("the body", string(o.Body))
	}
	if err != nil {
		return nil, false, err
	}
	head := append(wire.Template{}.Then(o.Method+" "), uri...).Then(" HTTP/1.1\r\n")
	r = &request{head: append(head, lines...), body: o.BodyTemplate(), content: httpmsg.HasContent(o.Method, o.Body)}
	if r.head.Fixed() && r.body.Fixed() {
		r.fixed = r.append(nil, wire.Fill{})
		r.head, r.body = nil, nil
		return r, false, nil
	}
	return r, r.head.Numbered() || r.body.Numbered(), nil
}

// append appends the request, filled, to dst.
func (r *request) append(dst []byte, f wire.Fill) []byte {
	if r.fixed != nil {
		return append(dst, r.fixed...)
	}
	dst = r.head.Append(dst, f)
	if r.content {
		dst = append(dst, "Content-Length: "...)
		dst = strconv.AppendInt(dst, int64(r.body.Size(f)), 10)
		dst = append(dst, "\r\n"...)
	}
	dst = append(dst, "\r\n"...)
	return r.body.Append(dst, f)
}

// appendNext appends the request whose turn it is to dst, and returns which it was. It takes no more memory than that.
func (p *protocol) appendNext(dst []byte, w *turns.Walk) (all []byte, target int) {
	n, turn := p.mix.Next(w)
	r := p.requests[turn.Target]
	if r.fixed != nil {
		return append(dst, r.fixed...), turn.Target
	}
	_, with := p.mix.Fill(w, n, turn)
	return r.append(dst, with), turn.Target
}
