package model

import (
	"testing"

	"github.com/gohone/hone/internal/conduct/lab"
)

func TestPlaces(t *testing.T) {
	here, checkout := lab.Record{Head: lab.Head{Dir: "/src/shop"}}, lab.Record{Head: lab.Head{Dir: "/tmp/hone-1/A.checkout", DirRef: "main"}}
	for _, c := range []struct {
		runs []lab.Record
		want string
	}{
		{nil, ""},
		{[]lab.Record{{}, here}, ""},
		{[]lab.Record{here}, "ran in: /src/shop"},
		{[]lab.Record{here, here, here}, "ran in: /src/shop"},
		{[]lab.Record{checkout}, "ran in: /tmp/hone-1/A.checkout (a checkout of main, removed since)"},
		{[]lab.Record{checkout, here}, "ran in: A /tmp/hone-1/A.checkout (a checkout of main, removed since), B /src/shop"},
	} {
		if got := RanIn(c.runs); got != c.want {
			t.Errorf("%+v: %q, want %q", c.runs, got, c.want)
		}
	}
}
