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

// What a MarshalJSON makes is not the price of the map around it: where it calls json.Marshal, that is said, and where
// it does not, nothing is. A map of plain values is still found.
func TestMapsOfTypesThatMarshal(t *testing.T) {
	const root = "encoding/json.(*encodeState).reflectValue < encoding/json.(*Encoder).Encode < " + user +
		".list@/src/a.go:9 < net/http.(*conn).serve"
	const inMap = "encoding/json.mapEncoder.encode < " + root
	const method = "encoding/json.marshalerEncoder < " + inMap
	const again = "encoding/json.Marshal < " + user + ".(*Job).MarshalJSON@/src/a.go:4 < " + method
	const fields = "encoding/json.stringEncoder < encoding/json.structEncoder.encode < " +
		"encoding/json.(*encodeState).reflectValue < " + again
	for name, c := range map[string]struct {
		samples map[string]int64
		want    string
	}{
		"marshals again": {map[string]int64{"encoding/json.appendCompact < " + method: 300, "runtime.mallocgc < " + again: 60,
			fields: 300, "slices.SortFunc < " + inMap: 10}, "json-there-and-back at a.go:4 m.(*Job).MarshalJSON"},
		"marshals by hand": {map[string]int64{"encoding/json.appendCompact < " + method: 300,
			"strconv.AppendInt < " + user + ".(*Job).MarshalJSON@/src/a.go:4 < " + method: 300}, ""},
		"structs": {map[string]int64{"encoding/json.stringEncoder < encoding/json.structEncoder.encode < " + inMap: 500},
			""},
		"values": {map[string]int64{"runtime.mallocgc < slices.SortFunc < " + inMap: 200,
			"encoding/json.stringEncoder < encoding/json.interfaceEncoder < " + inMap: 300}, "json-any at a.go:9 m.list"},
	} {
		c.samples["runtime.mcall"] = 400
		all := find(t, cpuView(t, map[string]string{"a.go": "package m\n"}, c.samples)).Findings
		if got := listed(all); got != c.want {
			t.Errorf("%s: found %q, want %q", name, got, c.want)
		}
		if name == "marshals again" && (len(all) != 1 || all[0].Cost < 0.3 || all[0].Cost > 0.4) {
			t.Errorf("%+v", all)
		}
	}
}
