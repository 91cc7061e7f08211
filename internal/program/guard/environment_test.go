package guard

import (
	"slices"
	"testing"
)

func TestEnvironment(t *testing.T) {
	own := []string{"A=1", "HONE_PROBE_SOCKET=/old", "HONE_SUBJECT=older", "PWD=/home", "B=x=y"}
	got := Environment(own, []string{"A=2", "C="}, "", "", "")
	want := []string{"PWD=/home", "B=x=y", "A=2", "C="}
	if !slices.Equal(got, want) {
		t.Errorf("environment %q, want %q", got, want)
	}
	got = Environment(own, nil, "/srv", "/new", "mark")
	if !slices.Contains(got, "PWD=/srv") || !slices.Contains(got, "HONE_PROBE_SOCKET=/new") ||
		!slices.Contains(got, "HONE_SUBJECT=mark") || len(got) != 5 {
		t.Errorf("environment %q", got)
	}
}
