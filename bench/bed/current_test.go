package bed

import "testing"

// Only code of what a case is about makes its results old.
func TestTouches(t *testing.T) {
	judge := []string{"judge", "stats"}
	for _, c := range []struct {
		file string
		dirs []string
		want bool
	}{
		{"judge/decide.go", judge, true}, {"judge/power/width.go", judge, true}, {"judge/decide_test.go", judge, false},
		{"judge/testdata/a.txt", judge, false}, {"judges/a.go", judge, false}, {"load/a.go", judge, false},
		{"load/a.go", nil, true}, {"bench/noop/noop.go", nil, false}, {"docs/a.md", nil, false},
	} {
		if got := touches([]string{"README.md", c.file}, c.dirs); got != c.want {
			t.Errorf("%s in %v: %v", c.file, c.dirs, got)
		}
	}
}
