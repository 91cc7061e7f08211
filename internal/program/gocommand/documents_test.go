package gocommand

import (
	"slices"
	"testing"
)

// What go prints is read to its end, and what comes before a fault is kept.
func TestDocuments(t *testing.T) {
	type listed struct{ ImportPath string }
	for answer, want := range map[string]struct {
		all  []listed
		good bool
	}{
		"": {good: true},
		"{\"ImportPath\": \"a\"}\n{\"ImportPath\": \"b\", \"Name\": \"x\"}\n": {[]listed{{"a"}, {"b"}}, true},
		"{\"ImportPath\": \"a\"}\n{\"Import":                                  {[]listed{{"a"}}, false},
		"go: downloading a v1.0.0\n":                                          {},
	} {
		all, err := Documents[listed]([]byte(answer))
		if !slices.Equal(all, want.all) || (err == nil) != want.good {
			t.Errorf("%q: %v, %v", answer, all, err)
		}
	}
}
