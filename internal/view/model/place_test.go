package model

import (
	"testing"

	"github.com/gohone/hone/internal/store/record"
)

func TestPlaces(t *testing.T) {
	here, checkout := record.Run{Head: record.Head{Dir: "/src/shop"}},
		record.Run{Head: record.Head{Dir: "/tmp/hone-1/A.checkout", DirRef: "main"}}
	for _, c := range []struct {
		runs []record.Run
		want string
	}{
		{nil, ""},
		{[]record.Run{{}, here}, ""},
		{[]record.Run{here}, "ran in: /src/shop"},
		{[]record.Run{here, here, here}, "ran in: /src/shop"},
		{[]record.Run{checkout}, "ran in: /tmp/hone-1/A.checkout (a checkout of main, removed since)"},
		{[]record.Run{checkout, here},
			"ran in: A /tmp/hone-1/A.checkout (a checkout of main, removed since), B /src/shop"},
	} {
		if got := RanIn(c.runs); got != c.want {
			t.Errorf("%+v: %q, want %q", c.runs, got, c.want)
		}
	}
}
