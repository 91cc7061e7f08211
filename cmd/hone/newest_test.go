package main

import (
	"slices"
	"testing"
	"time"

	"github.com/gohone/hone/cmd/hone/internal/app"
)

func TestTheNewestStandForNamesThatAreMissing(t *testing.T) {
	for _, c := range []struct {
		names []string
		want  int
		are   []string
	}{
		{nil, 1, []string{"last"}},
		{[]string{"a1b2"}, 1, []string{"a1b2"}},
		{nil, 2, []string{"last-1", "last"}},
		{[]string{"a1b2"}, 2, []string{"a1b2", "last"}},
		{[]string{"a1b2", "c3d4", "e5f6"}, 1, []string{"a1b2", "c3d4", "e5f6"}},
	} {
		if got := app.OrNewest(c.names, c.want); !slices.Equal(got, c.are) {
			t.Errorf("%q of %d are %q, want %q", c.names, c.want, got, c.are)
		}
	}
}

func TestAgesInWords(t *testing.T) {
	for d, want := range map[time.Duration]string{
		-time.Second: "0 seconds", time.Second: "1 second", 119 * time.Second: "1 minute", 5 * time.Hour: "5 hours",
		24 * time.Hour: "1 day", 90 * 24 * time.Hour: "90 days",
	} {
		if got := app.Age(d); got != want {
			t.Errorf("%v is %q, want %q", d, got, want)
		}
	}
}
