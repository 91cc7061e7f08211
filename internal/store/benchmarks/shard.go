package benchmarks

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/inputs"
)

// Shard is the part of the benchmarks that one of several jobs has measured.
type Shard struct {
	spec.Shard
	// Functions are those of all parts, in their order.
	Functions []string `json:"functions,omitempty"`
}

// ReadFile reads a result as hone bench --json prints it. Errors are fail.BadInput.
func ReadFile(path string) (*Result, error) {
	text, err := inputs.Results.ReadFile(path)
	if err != nil {
		return nil, err
	}
	r := &Result{}
	if err := json.Unmarshal(text, r); err != nil {
		return nil, fail.New(fail.BadInput, "read %s: %w", path, err).WithHint("hone bench --json prints such a file")
	}
	if r.Schema != Schema {
		return nil, fail.New(fail.BadInput, "%s has the schema %.40q, want %s", path, r.Schema, Schema).
			WithHint("join the parts with the version of hone that has measured them")
	}
	return r, nil
}

// Join makes one result of those of all parts, in any order. They share one level already. names are those of the
// files, for errors, which are fail.BadInput. The geometric mean is left out: it would need the rounds of all.
func Join(parts []*Result, names []string) (*Result, error) {
	if err := checkParts(parts, names); err != nil {
		return nil, err
	}
	parts = slices.Clone(parts)
	slices.SortFunc(parts, func(a, b *Result) int { return a.Shard.Index - b.Shard.Index })
	all := *parts[0]
	all.ID, all.Files, all.Geomean, all.Shard = "", [2]string{}, nil, nil
	var stopped []string
	for i, p := range parts {
		if !slices.Contains(stopped, p.Stopped) {
			stopped = append(stopped, p.Stopped)
		}
		if i == 0 {
			continue
		}
		all.Rounds, all.Elapsed = max(all.Rounds, p.Rounds), max(all.Elapsed, p.Elapsed)
		all.Benchmarks = slices.Concat(all.Benchmarks, p.Benchmarks)
		all.OneSided = join(all.OneSided, p.OneSided)
		all.Failures = join(all.Failures, p.Failures)
		all.Notes = join(all.Notes, p.Notes)
		all.Unchanged, all.Reach = joinUnchanged(all.Unchanged, p.Unchanged), all.Reach.Join(p.Reach)
		all.Skipped = append(all.Skipped, p.Skipped...)
		all.Untimed = append(all.Untimed, p.Untimed...)
		all.OpenGates = append(all.OpenGates, p.OpenGates...)
	}
	all.Stopped = strings.Join(stopped, ", ")
	order := map[string]int{}
	for i, f := range parts[0].Shard.Functions {
		order[f] = i
	}
	place := func(b Benchmark) int {
		function, _, _ := strings.Cut(b.Name, "/")
		if i, ok := order[b.Package+"."+function]; ok {
			return i
		}
		return order[b.Package+"."+WithoutProcs(function)]
	}
	slices.SortStableFunc(all.Benchmarks, func(a, b Benchmark) int { return place(a) - place(b) })
	return &all, nil
}

// joinUnchanged adds the benchmarks that execute nothing that changed: each job knows that of its own. Those with the
// same code all jobs know.
func joinUnchanged(all, more []Unchanged) []Unchanged {
	all = slices.Clone(all)
	for _, u := range more {
		if !slices.ContainsFunc(all, func(o Unchanged) bool { return o.Package == u.Package && o.Name == u.Name }) {
			all = append(all, u)
		}
	}
	return all
}

// join adds what is not there yet: each job says what it knows of all benchmarks.
func join[T comparable](all, more []T) []T {
	for _, one := range more {
		if !slices.Contains(all, one) {
			all = append(all, one)
		}
	}
	return all
}

// WithoutProcs is the name of a benchmark without -GOMAXPROCS.
func WithoutProcs(name string) string {
	if at := strings.LastIndexByte(name, '-'); at > 0 && strings.Trim(name[at+1:], "0123456789") == "" {
		return name[:at]
	}
	return name
}

// checkParts says what is wrong with the parts: one is missing, or they are not of one comparison.
func checkParts(parts []*Result, names []string) error {
	if len(parts) == 0 {
		return fail.New(fail.BadInput, "there is nothing to join").WithHint("name the files of hone bench --shard --json")
	}
	first := parts[0].Shard
	by := map[int]string{}
	for i, p := range parts {
		switch {
		case p.Shard == nil:
			return fail.New(fail.BadInput, "%s: it is not a part of a comparison", names[i]).
				WithHint("hone bench --shard 2/8 --json prints one")
		case p.Shard.Of != first.Of:
			return fail.New(fail.BadInput, "%s is part %s, and %s is part %s", names[0], &first.Shard, names[i], &p.Shard.Shard)
		case by[p.Shard.Index] != "":
			return fail.New(fail.BadInput, "%s and %s are both part %s", by[p.Shard.Index], names[i], &p.Shard.Shard)
		case p.Sides != parts[0].Sides:
			return fail.New(fail.BadInput, "%s and %s are of other commits or toolchains: %v and %v", names[0], names[i],
				parts[0].Sides, p.Sides).WithHint("measure all parts of one commit with the same flags")
		case !slices.Equal(p.Shard.Functions, first.Functions), p.Alpha != parts[0].Alpha:
			return fail.New(fail.BadInput, "%s and %s were not asked for the same benchmarks: %d and %d in all parts",
				names[0], names[i], len(first.Functions), len(p.Shard.Functions)).
				WithHint("measure all parts with the same flags")
		}
		by[p.Shard.Index] = names[i]
	}
	for k := 1; k <= first.Of; k++ {
		if by[k] == "" {
			return fail.New(fail.BadInput, "part %d/%d is missing", k, first.Of).
				WithHint("its benchmarks were not compared: name its file, too")
		}
	}
	return nil
}
