package spec

import (
	"reflect"
	"strings"
	"testing"

	"github.com/gohone/hone/internal/program/build"
	"github.com/gohone/hone/internal/text/redact"
	"github.com/gohone/hone/internal/wire"
)

// Requests of a list and steps are stored without what may be secret, and have to be given again; those of a mix are
// stored whole.
func TestRequestsOfAStoredRunAreGivenAgain(t *testing.T) {
	list := wire.Options{Order: []uint32{0, 1}, Requests: []wire.Request{
		{Method: "POST", Path: "/login", Body: []byte("password"), Weight: 2}, {Method: "GET", Path: "/", Weight: 1}}}
	sequence := wire.Options{Sequence: true, Requests: []wire.Request{
		{Path: "/login", Body: []byte("password"), Once: true}, {Path: "/"}}}
	mix := wire.Options{Requests: []wire.Request{{Weight: 3}, {Path: "/other", Weight: 1}}}
	other := wire.Options{Requests: []wire.Request{{Method: "GET", Path: "/elsewhere"}}}
	for _, c := range []struct {
		name      string
		asked, by wire.Options
		want      string // the error; empty: none
	}{
		{"the list", list, list, ""},
		{"another list", list, other, "the list of its 2 requests is missing, or is another one"},
		{"no list", list, wire.Options{}, "the list of its 2 requests is missing, or is another one"},
		{"the steps", sequence, sequence, ""},
		{"no steps", sequence, wire.Options{}, "the 2 steps of its requests are missing, or are others"},
		{"a list instead of steps", sequence, list, "the 2 steps of its requests are missing, or are others"},
		{"steps that it had not", wire.Options{}, sequence, "the 0 steps of its requests are missing, or are others"},
		{"the mix", mix, wire.Options{}, ""},
	} {
		p := Parts{Load: Load{Target: "http://127.0.0.1:{port}", Protocol: c.asked}}
		stored := p.Stored("/src", redact.Env{})
		for _, r := range stored.Protocol.Requests {
			if r.Body != nil {
				t.Errorf("%s: a body is stored: %s", c.name, r.Body)
			}
		}
		again, err := stored.Again(build.Variant{}, nil, Parts{Load: Load{Protocol: c.by}})
		if c.want != "" {
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s: %v, want %q", c.name, err, c.want)
			}
			continue
		}
		if err != nil || !reflect.DeepEqual(again.Protocol, c.asked) {
			t.Errorf("%s: %+v, want %+v: %v", c.name, again.Protocol, c.asked, err)
		}
	}
}
