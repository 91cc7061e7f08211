package service

import "testing"

func TestRedirectWarning(t *testing.T) {
	const target = "http://127.0.0.1:8080/"
	for _, c := range []struct {
		name, target string
		codes        map[int]uint64
		want         string
	}{
		{"none", target, map[int]uint64{200: 5, 304: 2, 404: 1}, ""},
		{"another protocol has other codes", "tcp://127.0.0.1:8080", map[int]uint64{302: 5}, ""},
		{"two kinds", target, map[int]uint64{200: 5, 302: 2, 301: 1},
			"3 of 8 answers were redirects (status 301, 302), which hone does not follow: " +
				"name the final path with --path, or expect the status with --set expect-status=301,302"},
	} {
		if got := redirectWarning(c.target, c.codes); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}
