package openapi

import (
	"strings"

	"github.com/gohone/hone/internal/wire"
)

// Bodies are the bodies that a description has for requests of a log.
type Bodies struct {
	requests  []wire.Request
	templates [][]string // of their paths, in parts
}

// ReadBodies makes a body for each operation that has one. Errors are those of Requests.
func ReadBodies(name string, text []byte) (*Bodies, error) {
	r, err := read(name, text, Options{Methods: []string{"POST", "PUT", "PATCH"}})
	if err != nil {
		return nil, err
	}
	b := &Bodies{requests: r.list.Requests}
	for _, template := range r.templates {
		b.templates = append(b.templates, strings.Split(template, "/"))
	}
	return b, nil
}

// Fill gives a request of a log the body of its operation, and its header lines. Where several operations fit, the one
// with the fewest parameters is it; not ok: none fits.
func (b *Bodies) Fill(r *wire.Request) (ok bool) {
	path, _, _ := strings.Cut(r.Path, "?")
	parts, fewest := strings.Split(path, "/"), len(path)+1
	var best wire.Request
	for i, one := range b.requests {
		if n := parametersOf(b.templates[i], parts); one.Method == r.Method && n >= 0 && n < fewest {
			best, ok, fewest = one, true, n
		}
	}
	if ok {
		r.Body, r.Headers = best.Body, wire.MergeHeaders(r.Headers, best.Headers)
	}
	return ok
}

// parametersOf is how many parts of a path are parameters of the template; negative: it is not a path of it.
func parametersOf(template, parts []string) (n int) {
	if len(template) != len(parts) {
		return -1
	}
	for i, part := range template {
		switch {
		case strings.Contains(part, "{"):
			n++
		case part != parts[i]:
			return -1
		}
	}
	return n
}
