package imported

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/gohone/hone/internal/store/series"
)

// entry is what a file of github-action-benchmark: data.js, or the same JSON by itself (external-data-json-path),
// has of one commit.
//
//	window.BENCHMARK_DATA = {"entries": {"Go Benchmark": [{"commit": {"id": "1a2b...", "message": ..., "timestamp": ...,
//	  "author": {"name": ...}}, "date": 1573191231478, "tool": "go", "benches": [{"name": "BenchmarkFib10", "value": 325,
//	  "unit": "ns/op", "extra": "5000000 times\n8 procs"}]}]}}
//
// An entry of entries, a suite, becomes the machine of its points: suites are of systems, of versions of Go or of
// packages, and their values are not comparable.
type entry struct {
	Commit struct {
		ID        string `json:"id"`
		Message   string `json:"message"`
		Timestamp string `json:"timestamp"`
		Author    struct {
			Name     string `json:"name"`
			Username string `json:"username"`
		} `json:"author"`
	} `json:"commit"`
	Date    float64 `json:"date"` // in ms
	Benches []struct {
		Name  string      `json:"name"`
		Value json.Number `json:"value"`
		Unit  string      `json:"unit"`
	} `json:"benches"`
}

var assignment = regexp.MustCompile(`^\s*(?:window\.)?BENCHMARK_DATA\s*=\s*`)

// script is what a script assigns, without the assignment.
func script(text []byte) (body []byte, is bool) {
	at := assignment.FindIndex(text)
	if at == nil {
		return nil, false
	}
	return text[at[1]:], true
}

// hasEntries says that a text of JSON is the data of data.js, and not Bencher's: it looks at its first keys.
func hasEntries(text []byte) bool {
	d := json.NewDecoder(bytes.NewReader(text))
	if _, err := d.Token(); err != nil {
		return false
	}
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return false
		}
		next, err := d.Token()
		if err != nil {
			return false
		}
		if _, nested := next.(json.Delim); nested { // lastUpdate and repoUrl may come before it
			return name == "entries"
		}
	}
	return false
}

// dataJS reads the JSON that begins at an offset of a file.
func (f *file) dataJS(text []byte, from int) error {
	f.format = GitHubActionBenchmark
	text = bytes.TrimRight(text, "; \t\r\n")
	d, err := f.document(text, min(from, len(text)))
	if err != nil {
		return err
	}
	err = d.each('{', func(key string) error {
		if key != "entries" {
			return d.decode(&json.RawMessage{})
		}
		return d.each('{', func(suite string) error {
			return d.each('[', func(string) error {
				line := d.here()
				var e entry
				if err := d.decode(&e); err != nil {
					return err
				}
				return f.entry(&e, suite, line)
			})
		})
	})
	if err != nil {
		return err
	}
	return d.end()
}

// entry adds the point of a commit.
func (f *file) entry(e *entry, suite string, line int) error {
	c := series.Commit{Hash: e.Commit.ID, Author: e.Commit.Author.Name, Subject: e.Commit.Message,
		Time: timeOf(e.Commit.Timestamp)}
	if c.Author == "" {
		c.Author = e.Commit.Author.Username
	}
	at := c.Time
	if e.Date > 0 {
		at = time.UnixMilli(int64(min(e.Date, lastMilli))).UTC()
	}
	if c.Time.IsZero() {
		c.Time = at
	}
	p := f.point(line, c, at, suite)
	if p == nil {
		return nil
	}
	known := map[[2]string]bool{} // newer versions write each value by itself, too
	for _, b := range e.Benches {
		if err := f.bench(p, line, known, b.Name, b.Unit, b.Value.String()); err != nil {
			return err
		}
	}
	return nil
}

// lastMilli is the end of the year 9999, the last one that JSON has.
const lastMilli = 253402300799999

// withPackage is a name with its package, which is written where there are several.
var withPackage = regexp.MustCompile(`^(Benchmark\S*) \(([^()\s]+)\)$`)

// bench adds what an entry of benches says. Older versions write all values of a benchmark into the unit of the first,
// "ns/op\t 4 B/op\t 1 allocs/op"; newer ones write each value once more under NAME - UNIT.
func (f *file) bench(p *series.Point, line int, known map[[2]string]bool, name, unit, value string) error {
	units := strings.Split(unit, "\t")
	unit = strings.TrimSpace(units[0])
	name = strings.TrimSuffix(name, " - "+unit)
	if m := withPackage.FindStringSubmatch(name); m != nil {
		name = nameOf(m[2], m[1])
	} else {
		name = nameOf("", name)
	}
	add := func(unit, text string) error {
		value, err := strconv.ParseFloat(text, 64)
		if err != nil {
			f.fault(line, "value %q of %q is not a number", cut(text), cut(name))
			return nil
		}
		if k := [2]string{name, unit}; !known[k] {
			known[k] = true
			return f.add(p, line, name, unit, value)
		}
		return nil
	}
	if unit == "" {
		unit = "value"
	}
	if err := add(unit, value); err != nil {
		return err
	}
	for _, more := range units[1:] {
		if words := strings.Fields(more); len(words) == 2 {
			if err := add(words[1], words[0]); err != nil {
				return err
			}
		}
	}
	return nil
}
