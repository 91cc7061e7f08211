package history

import (
	"slices"
	"strings"

	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/judge"
)

// OfFunction are the measures that are also known of one function with all that it calls: allocs(main.work).
var OfFunction = []string{measure.CPU.Key, measure.Allocs.Key, measure.Bytes.Key}

// CutFunction cuts allocs(main.work) into allocs and main.work; of any other name the function is empty.
func CutFunction(name string) (key, function string) {
	for _, key := range OfFunction {
		if rest, ok := strings.CutPrefix(name, key+"("); ok && strings.HasSuffix(rest, ")") {
			return key, strings.TrimSpace(strings.TrimSuffix(rest, ")"))
		}
	}
	return name, ""
}

// measureOf returns the measure of this name: one of hone's own, or one that some run
// in the ledger has, of which the better direction is not known. An unknown name is
// fail.BadInput.
func measureOf(r Reader, name string) (judge.Measure, error) {
	if key, function := CutFunction(name); function != "" {
		m, err := measureOf(r, key)
		m.Key, m.Name = name, m.Name+" in "+function+" and what it calls"
		return m, err
	}
	known := make([]string, 0, len(measure.All))
	for _, m := range measure.All {
		if m.Key == name {
			return m, nil
		}
		known = append(known, m.Key)
	}
	stored, err := r.MeasureNames()
	if err != nil {
		return judge.Measure{}, err
	}
	if slices.Contains(stored, name) {
		return judge.Measure{Key: name, Name: name}, nil
	}
	for _, n := range stored {
		if !slices.Contains(known, n) {
			known = append(known, n)
		}
	}
	e := fail.New(fail.BadInput, "measure %q: there is none of this name", name)
	if near := fail.Nearest(name, known); near != "" {
		return judge.Measure{}, e.WithHint("did you mean %s?", near)
	}
	return judge.Measure{}, e.WithHint("one of %s", strings.Join(known, ", "))
}
