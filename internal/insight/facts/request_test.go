package facts

import "testing"

const asking = `package m

import (
	"encoding/json"
	"net/http"
	"regexp"
)

type rule struct{ pattern string }

type document struct{ out string }

func pattern(q string) (*regexp.Regexp, error) {
	return regexp.Compile("(?i)" + q) // compile
}

func search(w http.ResponseWriter, r *http.Request) {
	q := r.FormValue("q")
	re, err := pattern(q) // search
	_, _ = re, err
}

func merge(w http.ResponseWriter, r *http.Request) {
	var ask struct{ Text string }
	if err := json.NewDecoder(r.Body).Decode(&ask); err != nil {
		return
	}
	re, err := pattern(ask.Text) // merge
	_, _ = re, err
}

func fixed(w http.ResponseWriter, r *http.Request) {
	_ = regexp.MustCompile("^/[a-z]+$").MatchString(r.URL.Path) // fixed
}

func check(w http.ResponseWriter, r *http.Request, rules []rule) {
	for _, one := range rules {
		re, err := pattern(one.pattern) // check
		_, _ = re, err
	}
}

func subscribe(s *document) {
	go s.run() // start
}

func (d *document) run() {
	select {} // wait
}
`

func TestWhatComesWithTheRequest(t *testing.T) {
	files := map[string]string{"a.go": asking}
	for caller, want := range map[string]bool{"search": true, "merge": true, "check": false} {
		v, s := viewOf(t, files, "regexp.Compile", "example.com/m.pattern a.go compile",
			"example.com/m."+caller+" a.go "+caller)
		if got := v.FromRequest(s, 1); got != want {
			t.Errorf("%s: %t, want %t", caller, got, want)
		}
	}
	// What another call of the line is given does not count.
	v, s := viewOf(t, files, "regexp.MustCompile", "example.com/m.fixed a.go fixed")
	if v.FromRequest(s, 1) {
		t.Error("a constant pattern that is matched with a request comes with the request")
	}
}

func TestWhoStartsAGoroutine(t *testing.T) {
	v, _ := viewOf(t, map[string]string{"a.go": asking}, "example.com/m.(*document).run a.go wait")
	at, ok := v.StartedAt("example.com/m.(*document).run")
	if !ok || at.Line != lineWith(t, asking, "start") || at.Function != "example.com/m.subscribe" {
		t.Errorf("%+v, %t", at, ok)
	}
}
