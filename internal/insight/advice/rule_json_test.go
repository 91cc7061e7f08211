package advice

import (
	"strings"
	"testing"
)

func TestWhatLinesDoWithAnyType(t *testing.T) {
	files := map[string]string{"a.go": ofAnyType}
	v, s := onStack(t, files, "encoding/json.Unmarshal", "example.com/m.trees a.go any")
	if v.decodesAny()(s) != 0 {
		t.Error("into a map of any: not seen")
	}
	v, s = onStack(t, files, "encoding/json.Unmarshal", "example.com/m.trees a.go struct")
	if v.decodesAny()(s) != -1 {
		t.Error("into a struct: taken for any")
	}
	f := v.File("/src/a.go")
	if !f.ComparesAny(int(lineOf(t, ofAnyType, "trees"))) || f.ComparesAny(int(lineOf(t, ofAnyType, "structs"))) {
		t.Error("trees of any and structs are not told apart")
	}
	if !f.Accumulates(int(lineOf(t, ofAnyType, "accumulates"))) || f.Accumulates(int(lineOf(t, ofAnyType, "any"))) {
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
		v, s := onStack(t, map[string]string{"a.go": strings.Replace(decode, "KEY", key, 1)}, "encoding/json.Unmarshal",
			"example.com/m.read a.go decode")
		if got := v.anyFields(v.decodesAny())(s); got != want {
			t.Errorf("m[%s]: %d, want %d", key, got, want)
		}
	}
}

const ofAnyType = `package m

import (
	"encoding/json"
	"reflect"
)

type rule struct{ pattern string }

type document struct{ out string }

func (d *document) line(s string) {
	d.out += s // accumulates
}

func trees(raw []byte, a, b any, x, y rule) bool {
	var m map[string]any
	json.Unmarshal(raw, &m) // any
	json.Unmarshal(raw, &x) // struct
	same := reflect.DeepEqual(a, b) // trees
	return same && reflect.DeepEqual(x, y) // structs
}
`
