package resultfiles

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"golang.org/x/perf/benchfmt"
	"golang.org/x/perf/benchunit"

	"github.com/gohone/hone/internal/conduct/gobench/benchtext"
	"github.com/gohone/hone/internal/store/benchmarks"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/inputs"
)

// resultFile is what one file of results says.
type resultFile struct {
	results []*benchfmt.Result
	// failures are the benchmarks without a result, and packages that failed.
	failures []benchmarks.FileFailure
	// warnings are lines and values that were left out, as file:line: why.
	warnings []string
}

// resultFiles reads files of results one after the other. The units that one file declares hold
// for all of them, as in benchstat.
type resultFiles struct{ reader benchfmt.Reader }

// read reads the output of go test -bench, with or without -json, as UTF-8 or UTF-16: Windows'
// PowerShell writes UTF-16. label is the name of the column.
func (f *resultFiles) read(path, label string) (*resultFile, error) {
	text, err := readResultFile(path)
	if err != nil {
		return nil, fail.New(fail.BadInput, "read results of %s: %w", path, err).WithHint(nameFiles)
	}
	parts := []resultPart{{name: path, text: text}}
	if looksLikeEvents(text) {
		if parts, err = eventParts(path, text); err != nil {
			return nil, err
		}
	}
	out := &resultFile{}
	for _, p := range parts {
		out.failures = append(out.failures, failuresIn(p.text, p.name, label)...)
		if err := f.readPart(out, p, label); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// readResultFile returns a file as UTF-8, without a byte order mark.
func readResultFile(path string) ([]byte, error) {
	raw, err := inputs.Results.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return io.ReadAll(inputs.Text(bytes.NewReader(raw)))
}

// resultPart is the output of one or more packages, one after the other.
type resultPart struct {
	name string // for positions
	text []byte
}

// readPart adds the results of a part. A value that is not a finite number cannot be compared: it
// is left out, and said once for each benchmark and unit.
func (f *resultFiles) readPart(out *resultFile, p resultPart, label string) error {
	lines := benchtext.Mended(string(p.text))
	f.reader.Reset(strings.NewReader(readerText(lines)), p.name, ".file", label)
	left := map[string]bool{}
	var unread []benchmarks.FileFailure
	for f.reader.Scan() {
		switch rec := f.reader.Result().(type) {
		case *benchfmt.SyntaxError:
			out.warnings = append(out.warnings, rec.Error())
			if word, _ := benchtext.CutName(lines[rec.Line-1].Text); benchtext.IsBenchmarkName(word) {
				unread = append(unread, unreadable(rec, label, word, rec.Msg))
			}
		case *benchfmt.Result:
			r := rec.Clone()
			r.Values = slices.DeleteFunc(r.Values, func(v benchfmt.Value) bool {
				value, unit := benchtext.PrintedValue(v)
				bad := math.IsNaN(value) || math.IsInf(value, 0)
				if key := string(r.Name) + " " + unit; bad && !left[key] {
					left[key] = true
					why := fmt.Sprintf("%v %s cannot be compared", value, unit)
					name, line := r.Pos()
					out.warnings = append(out.warnings, fmt.Sprintf("%s:%d: %s: %s: left out", name, line, r.Name, why))
					unread = append(unread, unreadable(r, label, "Benchmark"+string(r.Name), why))
				}
				return bad
			})
			tidy(r.Values)
			out.results = append(out.results, r)
		}
	}
	if err := f.reader.Err(); err != nil {
		return fail.New(fail.BadInput, "read results: %w", err).WithHint(nameFiles)
	}
	for _, u := range unread {
		out.addUnread(u)
	}
	return nil
}

// readerText is the text of lines for a reader of results. A line that is longer than the reader takes is
// text of a benchmark.
func readerText(lines []benchtext.Line) string {
	var text strings.Builder
	for _, line := range lines {
		if line.Result || len(line.Text) < bufio.MaxScanTokenSize {
			text.WriteString(line.Text)
		}
		text.WriteByte('\n')
	}
	return text.String()
}

// unreadable is the failure of a benchmark whose result at a position cannot be read.
func unreadable(at benchfmt.Record, label, word, why string) benchmarks.FileFailure {
	name, line := at.Pos()
	return benchmarks.FileFailure{
		File: label, At: fmt.Sprintf("%s:%d", name, line), Name: strings.TrimPrefix(word, "Benchmark"),
		Unread: true, Text: "its result cannot be read: " + why,
	}
}

// addUnread notes a benchmark whose result cannot be read, unless the file has another result of it, or says why there
// is none.
func (f *resultFile) addUnread(u benchmarks.FileFailure) {
	has := slices.ContainsFunc(f.results, func(r *benchfmt.Result) bool {
		return string(r.Name) == u.Name && len(r.Values) > 0
	})
	known := slices.ContainsFunc(f.failures, func(k benchmarks.FileFailure) bool { return k.Of(u.Name) })
	if !has && !known {
		f.failures = append(f.failures, u)
	}
}

// tidy gives each value the base unit of its own unit. The reader does so too, but not for a
// value that its factor does not change: 0 ns/op would be of another unit than 1 ns/op.
func tidy(values []benchfmt.Value) {
	for i, v := range values {
		if v.OrigUnit == "" {
			values[i].Value, values[i].Unit = benchunit.Tidy(v.Value, v.Unit)
		}
	}
}

// testEvent is a line of go test -json (go doc test2json).
type testEvent struct{ Action, Package, Output string }

// looksLikeEvents says whether a file is of go test -json: its first line that is not empty is
// an event.
func looksLikeEvents(text []byte) bool {
	first, _, _ := bytes.Cut(bytes.TrimSpace(text), []byte("\n"))
	var e testEvent
	return json.Unmarshal(first, &e) == nil && e.Action != ""
}

// eventParts joins what each package printed: go test -json runs several packages at a time, and
// cuts their lines where it likes.
func eventParts(path string, text []byte) ([]resultPart, error) {
	var parts []resultPart
	place := map[string]int{}
	line := 0
	for raw := range bytes.Lines(text) {
		line++
		if raw = bytes.TrimSpace(raw); len(raw) == 0 {
			continue
		}
		var e testEvent
		if err := json.Unmarshal(raw, &e); err != nil {
			return nil, fail.New(fail.BadInput, "%s:%d: this is not an event of go test -json: %w", path, line,
				withoutText(err)).WithHint(nameFiles)
		}
		i, known := place[e.Package]
		if !known {
			i = len(parts)
			place[e.Package] = i
			parts = append(parts, resultPart{name: path})
			if e.Package != "" {
				parts[i].name = path + " (" + e.Package + ")"
				parts[i].text = fmt.Appendf(nil, "pkg: %s\n", e.Package)
			}
		}
		parts[i].text = append(parts[i].text, e.Output...)
	}
	return parts, nil
}

// withoutText is an error of encoding/json without the type that it was read into.
func withoutText(err error) error {
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) {
		return syntax
	}
	return errors.New("its fields have other types")
}
