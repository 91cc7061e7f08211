package ladder

import "testing"

type stage string

func (s stage) String() string { return string(s) }

func TestLookup(t *testing.T) {
	stages := []stage{"raw", "final"}
	if s, err := Lookup(stages, "final"); s != "final" || err != nil {
		t.Errorf("%q, %v", s, err)
	}
	const want = `unknown stage "fast" (known: raw, final)`
	if s, err := Lookup(stages, "fast"); s != "" || err == nil || err.Error() != want {
		t.Errorf("%q, %v, want %s", s, err, want)
	}
}
