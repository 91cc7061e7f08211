package advice

import (
	"strings"
	"testing"
)

const asking = `package m

import (
	"encoding/json"
	"net/http"
	"reflect"
	"regexp"
)

type rule struct{ pattern string }

type document struct{ out string }

func (d *document) line(s string) {
	d.out += s // accumulates
}

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

func trees(raw []byte, a, b any, x, y rule) bool {
	var m map[string]any
	json.Unmarshal(raw, &m) // any
	json.Unmarshal(raw, &x) // struct
	same := reflect.DeepEqual(a, b) // trees
	return same && reflect.DeepEqual(x, y) // structs
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
		if got := v.fromRequest(s, 1); got != want {
			t.Errorf("%s: %t, want %t", caller, got, want)
		}
	}
	// What another call of the line is given does not count.
	v, s := viewOf(t, files, "regexp.MustCompile", "example.com/m.fixed a.go fixed")
	if v.fromRequest(s, 1) {
		t.Error("a constant pattern that is matched with a request comes with the request")
	}
}

func TestWhatLinesDoWithAnyType(t *testing.T) {
	files := map[string]string{"a.go": asking}
	v, s := viewOf(t, files, "encoding/json.Unmarshal", "example.com/m.trees a.go any")
	if v.decodesAny()(s) != 0 {
		t.Error("into a map of any: not seen")
	}
	v, s = viewOf(t, files, "encoding/json.Unmarshal", "example.com/m.trees a.go struct")
	if v.decodesAny()(s) != -1 {
		t.Error("into a struct: taken for any")
	}
	f := v.source("/src/a.go")
	if !f.comparesAny(int(lineOf(t, asking, "trees"))) || f.comparesAny(int(lineOf(t, asking, "structs"))) {
		t.Error("trees of any and structs are not told apart")
	}
	if !f.accumulates(int(lineOf(t, asking, "accumulates"))) || f.accumulates(int(lineOf(t, asking, "compile"))) {
		t.Error("a field that grows by += is not seen, or something else is")
	}
}

// A document of any shape has no struct to be decoded into: only who names fields could.
func TestFieldsOfAnyValue(t *testing.T) {
	const decode = `package m

import "encoding/json"

func read(raw []byte, key string) any {
	var m map[string]any
	json.Unmarshal(raw, &m) // decode
	return m[KEY]
}
`
	for key, want := range map[string]int{`"id"`: 0, "key": -1} {
		v, s := viewOf(t, map[string]string{"a.go": strings.Replace(decode, "KEY", key, 1)}, "encoding/json.Unmarshal",
			"example.com/m.read a.go decode")
		if got := v.anyFields(v.decodesAny())(s); got != want {
			t.Errorf("m[%s]: %d, want %d", key, got, want)
		}
	}
}

func TestWhoStartsAGoroutine(t *testing.T) {
	v, _ := viewOf(t, map[string]string{"a.go": asking}, "example.com/m.(*document).run a.go wait")
	at, ok := v.startedAt("example.com/m.(*document).run")
	if !ok || at.Line != lineOf(t, asking, "start") || at.Function != "example.com/m.subscribe" {
		t.Errorf("%+v, %t", at, ok)
	}
}
