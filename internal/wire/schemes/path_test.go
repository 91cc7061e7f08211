package schemes

import "testing"

// A path takes the place of a target's own, with or without a query.
func TestWithPath(t *testing.T) {
	for _, c := range []struct{ target, path, want string }{
		{"", "/x", ""},
		{"http://127.0.0.1:{port}/old?q=1", "/x?y", "http://127.0.0.1:{port}/x?y"},
		{"http://127.0.0.1:80", "/x", "http://127.0.0.1:80/x"},
		{"http://127.0.0.1:80/x", "", "http://127.0.0.1:80/x"},
		{"unix:/run/app.sock", "/x", "unix:/run/app.sock:/x"},
		{"unix:/run/app.sock:/old", "/x", "unix:/run/app.sock:/x"},
		{"unix:@app:/old", "/x", "unix:@app:/x"},
		{"http+unix:///run/app.sock:/old", "/x", "http+unix:/run/app.sock:/x"},
	} {
		if got := WithPath(c.target, c.path); got != c.want {
			t.Errorf("WithPath(%q, %q) = %q, want %q", c.target, c.path, got, c.want)
		}
	}
}
