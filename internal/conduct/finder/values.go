package finder

import (
	"bytes"
	"cmp"
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/gohone/hone/internal/program/build"
	"github.com/gohone/hone/internal/program/templates"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/wire"
	"github.com/gohone/hone/internal/wire/schemes"
)

// Values are what the command after a start has answered: they fill {name} in the requests to this start.
type Values map[string]string

// valueName matches what the command after a start may fill.
var valueName = regexp.MustCompile(`\{([A-Za-z_][A-Za-z0-9_.-]*)\}`)

// wanted lists the names in a target and its options that no column of a feed fills. strict are those in URLs and
// headers, where braces mean nothing else; loose those in the body.
func wanted(target string, o wire.Options) (strict, loose []string) {
	var columns []string
	if o.Feed != nil {
		columns = slices.Clone(o.Feed.Names)
	}
	find := func(texts ...string) (names []string) {
		for _, text := range texts {
			for _, m := range valueName.FindAllStringSubmatch(text, -1) {
				own := templates.Fill(m[0], func(string) string { return "" }) == ""
				if !own && !slices.Contains(columns, m[1]) && !slices.Contains(names, m[1]) {
					names = append(names, m[1])
				}
			}
		}
		return names
	}
	texts := append([]string{target}, o.Headers...)
	bodies := []string{string(o.Body)}
	for _, r := range o.Requests {
		texts, bodies = append(append(texts, r.Path), r.Headers...), append(bodies, string(r.Body))
		for _, t := range r.Take {
			columns = append(columns, t.Name) // a step fills it
		}
	}
	return find(texts...), find(bodies...)
}

// Parse is schemes.Parse for a start before it: a value stands in for each name that its command is still to
// fill, and for each template of a need.
func Parse(target string, o wire.Options, v build.Variant) (schemes.Target, error) {
	target = templates.Fill(target, func(template string) string {
		if strings.Contains(template, ".") {
			return "1"
		}
		return template
	})
	if v.AfterStart != nil {
		strict, _ := wanted(target, o)
		stand := Values{}
		for _, name := range strict {
			stand[name] = "0"
		}
		o = stand.fill(target, o)
	}
	return schemes.Parse(target, o)
}

// ReadValues reads the JSON object that the command after a start has written to its standard output, as far as
// requests want it. Without names in them the output may be anything.
func ReadValues(stdout []byte, target string, o wire.Options, name string) (Values, error) {
	strict, loose := wanted(target, o)
	if len(strict)+len(loose) == 0 {
		return nil, nil
	}
	fault := func(format string, args ...any) error {
		return fail.New(fail.Subject, "after the start of program "+name+": "+format, args...).
			WithHint(`let the command write one JSON object to its standard output, such as {"token": "..."}: ` +
				"its values fill {token} in URLs, headers and the body")
	}
	line := &bytes.Buffer{}
	if err := json.Compact(line, stdout); err != nil || !bytes.HasPrefix(line.Bytes(), []byte("{")) {
		if len(strict) == 0 {
			return nil, nil // braces of the body's own
		}
		return nil,
			fault("{%s} stands in the requests, and the command wrote no JSON object to its standard output (%d bytes)",
				strict[0], len(stdout))
	}
	got := Values{}
	if line.String() != "{}" {
		one, err := wire.ReadFeed("output.jsonl", line)
		if err != nil {
			return nil, fault("read its JSON: %w", err)
		}
		for i, key := range one.Names {
			got[key] = one.Rows[0][i]
		}
	}
	for _, want := range strict {
		if _, ok := got[want]; !ok {
			return nil, fault("{%s} stands in the requests, and the JSON of the command has no such key; it has %s",
				want, cmp.Or(strings.Join(slices.Sorted(maps.Keys(got)), ", "), "none"))
		}
	}
	return got, nil
}

// fill returns options that have the values that requests name as columns of their feed.
func (v Values) fill(target string, o wire.Options) wire.Options {
	strict, loose := wanted(target, o)
	var names, row []string
	for _, name := range append(strict, loose...) {
		if value, ok := v[name]; ok && !slices.Contains(names, name) {
			names, row = append(names, name), append(row, value)
		}
	}
	if len(names) == 0 {
		return o
	}
	if o.Feed == nil {
		o.Feed = &wire.Feed{Names: names, Rows: [][]string{row}}
		return o
	}
	feed := &wire.Feed{Names: slices.Concat(o.Feed.Names, names)}
	for _, r := range o.Feed.Rows {
		feed.Rows = append(feed.Rows, slices.Concat(r, row))
	}
	o.Feed = feed
	return o
}

// Secrets are the values, which may be tokens, as entries NAME=value.
func (v Values) Secrets() []string {
	var all []string
	for name, value := range v {
		all = append(all, name+"="+value)
	}
	return all
}
