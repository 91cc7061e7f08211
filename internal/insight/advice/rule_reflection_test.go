package advice

import (
	"math"
	"strconv"
	"strings"
	"testing"
)

// tagged reads tags of structs in several ways.
const tagged = `package m

import (
	"reflect"
	"strconv"
	"strings"
	"sync"
)

type rule struct {
	name string
	most int
}

func check(v any) int {
	n := 0
	for _, r := range rulesOf(reflect.TypeOf(v).Elem()) { // call
		n += len(r.name)
	}
	return n
}

func rulesOf(t reflect.Type) (all []rule) {
	for i := range t.NumField() {
		parts := strings.Split(t.Field(i).Tag.Get("col"), ",") // tag
		most, _ := strconv.Atoi(parts[1]) // number
		all = append(all, rule{name: parts[0], most: most}) // append
	}
	return all
}

func toMap(v any) map[string]any {
	rv := reflect.ValueOf(v)
	out := make(map[string]any, rv.NumField()) // map
	for i := 0; i < rv.NumField(); i++ {
		name := strings.ToLower(rv.Type().Field(i).Name) // lower
		out[name] = rv.Field(i).Interface() // value
		text := strings.TrimSpace(rv.Field(i).String()) // text
		use(text)
	}
	return out
}

var kept sync.Map

func cached(v any) []rule {
	t := reflect.TypeOf(v)
	if all, ok := kept.Load(t); ok { // load
		return all.([]rule)
	}
	return nil
}
`

// What is made of a type and its tags goes with the reflection that reads them, at the line that does; what is made of
// the value does not, and neither does a look-up of what is kept for a type.
func TestWhatDependsOnATypeIsOneCause(t *testing.T) {
	at := func(function, mark string) string {
		return user + "." + function + "@/src/a.go:" + strconv.FormatInt(lineOf(t, tagged, mark), 10)
	}
	inRules := " < " + at("rulesOf", "tag") + " < " + at("check", "call") + " < net/http.(*conn).serve"
	inMap := " < net/http.(*conn).serve"
	for name, c := range map[string]struct {
		samples map[string]int64
		place   string
		cost    float64
		title   string
	}{
		"tags": {map[string]int64{"reflect.StructTag.Lookup < reflect.StructTag.Get" + inRules: 150,
			"strings.genSplit < strings.Split" + inRules:                  120,
			"strconv.Atoi < " + at("rulesOf", "number") + inMap:           60,
			"runtime.growslice < " + at("rulesOf", "append") + inMap:      170,
			"strings.TrimSpace < " + at("toMap", "text") + inMap:          100,
			"runtime.mapassign_faststr < " + at("toMap", "value") + inMap: 100,
			"sync.(*Map).Load < " + at("cached", "load") + inMap:          100,
		}, "tag", 0.50, "what depends on the type only is read by reflection for each value"},
		"of a value": {map[string]int64{"reflect.Value.Interface < " + at("toMap", "value") + inMap: 200,
			"strings.ToLower < " + at("toMap", "lower") + inMap: 50}, "value", 0.25, "reflect.Value.Interface works by"},
		"kept": {map[string]int64{"sync.(*Map).Load < " + at("cached", "load") + inMap: 400}, "", 0, ""},
	} {
		if f := onlyFinding(t, tagged, c.samples); c.place == "" && f != nil {
			t.Errorf("%s: %+v", name, f)
		} else if c.place != "" && (f == nil || f.Rule != "reflection" || f.Place.Line != lineOf(t, tagged, c.place) ||
			math.Abs(f.Cost-c.cost) > 1e-9 || !strings.HasPrefix(f.Title, c.title)) {
			t.Errorf("%s: %+v", name, f)
		}
	}
}
