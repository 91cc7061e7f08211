package resultfiles

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/gohone/hone/internal/judge/gate"
	"github.com/gohone/hone/internal/judge/measure"
	"github.com/gohone/hone/internal/store/benchmarks"
)

// configured is a benchmark in one configuration.
type configured struct{ config, name string }

// measuredIn is the measures that each file has of a benchmark, by their keys; nil for a file that
// does not have the benchmark.
func measuredIn(t *benchmarks.Tables) (order []configured, has map[configured][]map[string]bool) {
	has = map[configured][]map[string]bool{}
	for _, table := range t.Tables {
		unit, _ := untidy(table.Unit)
		for _, row := range table.Rows {
			at := configured{strings.Join(table.Config, "\n"), row.Name}
			if has[at] == nil {
				order, has[at] = append(order, at), make([]map[string]bool, len(t.Files))
			}
			for i, c := range row.Cells {
				if c == nil {
					continue
				}
				if has[at][i] == nil {
					has[at][i] = map[string]bool{}
				}
				has[at][i][measure.OfUnit(unit).Key] = true
			}
		}
	}
	return order, has
}

// openGates are the gates on benchmarks of the first file that another file does not have, on
// measures that one of both does not have, and on benchmarks that the first file names without a result.
// A benchmark that is new has nothing to be held against.
func openGates(t *benchmarks.Tables, gates []gate.Gate) []benchmarks.OpenGate {
	var open []benchmarks.OpenGate
	add := func(name string, g gate.Gate, why string) {
		if why != "" {
			open = append(open, benchmarks.NewOpenGate(name, g, why))
		}
	}
	order, has := measuredIn(t)
	inFirst := map[string]bool{}
	for _, at := range order {
		files := has[at]
		if files[0] == nil {
			continue
		}
		inFirst[at.name] = true
		for i := 1; i < len(files); i++ {
			for _, g := range gates {
				add(at.name, g, missingIn(t, at.name, g, files, i))
			}
		}
	}
	for _, name := range withoutBase(t, order, inFirst) {
		for _, g := range gates {
			add(name, g, withoutResult(t, name, 0))
		}
	}
	return open
}

// withoutBase are the benchmarks of which only the first file has no result, though it names them; one that skips
// itself in all files is not compared on purpose.
func withoutBase(t *benchmarks.Tables, order []configured, inFirst map[string]bool) (names []string) {
	add := func(name string) {
		if !inFirst[name] && withoutResult(t, name, 0) != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	for _, at := range order {
		add(at.name)
	}
	for _, f := range t.Failures {
		measured := slices.ContainsFunc(order, func(at configured) bool { return f.Of(at.name) })
		if f.File == t.Files[0] && f.Unread && !measured {
			add(f.Name)
		}
	}
	return names
}

// withoutResult says why a file has no result of a benchmark that it names; "" if it does not name it.
func withoutResult(t *benchmarks.Tables, name string, file int) string {
	for _, f := range t.Failures {
		if f.File == t.Files[file] && f.Of(name) {
			return fmt.Sprintf("%s has no result: %s", t.Files[file], f.Text)
		}
	}
	return ""
}

// missingIn says what a gate lacks in the first file or in file i; "" if it has all.
func missingIn(t *benchmarks.Tables, name string, g gate.Gate, files []map[string]bool, i int) string {
	if files[i] == nil {
		return cmp.Or(withoutResult(t, name, i), t.Files[i]+" does not have this benchmark")
	}
	var lack []string
	for _, j := range []int{0, i} {
		if !files[j][g.Measure.Key] {
			lack = append(lack, t.Files[j])
		}
	}
	if len(lack) == 0 {
		return ""
	}
	why := fmt.Sprintf("no %s in %s", g.Measure.Name, strings.Join(lack, " and "))
	switch {
	case g.Measure.Key == measure.OperationBytes.Key || g.Measure.Key == measure.OperationAllocs.Key:
		why += ": go test -benchmem writes them"
	case g.Measure.Key == measure.OperationCPU.Key:
		why += ": hone bench measures it"
	case g.Measure.Key == measure.OperationInstructions.Key || g.Function != "":
		why += ": hone bench --instructions counts them"
	}
	return why
}

// apart finds the keys in which benchmarks of one name differ that are in several files, but in no
// two of them in one configuration.
func apart(t *benchmarks.Tables) []benchmarks.Apart {
	order, has := measuredIn(t)
	configs := map[string][]configured{}
	for _, at := range order {
		configs[at.name] = append(configs[at.name], at)
	}
	values := map[string][]string{}
	for _, at := range order {
		for _, other := range configs[at.name] {
			if i, j := only(has[at]), only(has[other]); i >= 0 && j >= 0 && i != j {
				differences(at.config, other.config, values)
			}
		}
	}
	var out []benchmarks.Apart
	for _, key := range slices.Sorted(maps.Keys(values)) {
		out = append(out, benchmarks.Apart{Key: key, Values: values[key]})
	}
	return out
}

// only is the one file that has a benchmark; -1 where several have it.
func only(files []map[string]bool) int {
	one := -1
	for i, f := range files {
		switch {
		case f != nil && one >= 0:
			return -1
		case f != nil:
			one = i
		}
	}
	return one
}

// differences adds the values of the keys in which two configurations differ.
func differences(a, b string, values map[string][]string) {
	of := func(config string) map[string]string {
		m := map[string]string{}
		for line := range strings.SplitSeq(config, "\n") {
			key, value, _ := strings.Cut(line, ": ")
			m[key] = value
		}
		return m
	}
	x, y := of(a), of(b)
	for _, key := range slices.Concat(slices.Collect(maps.Keys(x)), slices.Collect(maps.Keys(y))) {
		if key == "" || x[key] == y[key] {
			continue
		}
		for _, v := range []string{x[key], y[key]} {
			if v == "" {
				v = "none"
			}
			if !slices.Contains(values[key], v) {
				values[key] = append(values[key], v)
			}
		}
	}
}
