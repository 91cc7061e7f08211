package benchtext

import (
	"regexp"
	"strconv"
	"strings"

	"golang.org/x/perf/benchfmt"
)

// configLine is what go test prints above the results.
var configLine = regexp.MustCompile(`^(goos|goarch|pkg|cpu): `)

// Scan reads the results from the output of a test binary, in the order of the output.
// Anything else in the output is passed over: benchmarks print what they like.
func Scan(output string) []*benchfmt.Result {
	var text strings.Builder
	for _, line := range Mended(output) {
		if line.Result || configLine.MatchString(line.Text) {
			text.WriteString(line.Text + "\n")
		}
	}
	return Read(text.String())
}

// Read reads lines in the format of benchfmt and passes over those with errors.
func Read(text string) []*benchfmt.Result {
	var results []*benchfmt.Result
	r := benchfmt.NewReader(strings.NewReader(text), "output")
	for r.Scan() {
		if result, ok := r.Result().(*benchfmt.Result); ok {
			results = append(results, result.Clone())
		}
	}
	return results
}

// Named is the first of the results with a name; nil if there is none.
func Named(results []*benchfmt.Result, name string) *benchfmt.Result {
	for _, r := range results {
		if string(r.Name) == name {
			return r
		}
	}
	return nil
}

// CutName splits a line after its first word.
func CutName(line string) (name, rest string) {
	end := strings.IndexAny(line, " \t")
	if end < 0 {
		return line, ""
	}
	return line[:end], line[end:]
}

// isResult says whether what follows a name is a number of iterations with values.
func isResult(rest string) bool {
	fields := strings.Fields(rest)
	if len(fields) < 3 {
		return false
	}
	_, badCount := strconv.Atoi(fields[0])
	_, badValue := strconv.ParseFloat(fields[1], 64)
	return badCount == nil && badValue == nil
}

// PlainName takes -GOMAXPROCS off a result's name; the testing package leaves it out
// where it is 1.
func PlainName(name string, procs int) string {
	if procs != 1 {
		name = strings.TrimSuffix(name, "-"+strconv.Itoa(procs))
	}
	return name
}

// resultName is the name of a benchmark's result, the opposite of plainName.
func resultName(name string, procs int) string {
	if procs != 1 {
		name += "-" + strconv.Itoa(procs)
	}
	return name
}

// Exactly is the -test.bench pattern for one benchmark, given its name without
// -GOMAXPROCS as benchfmt has it, that is without the word Benchmark in front.
func Exactly(name string) string {
	var parts []string
	for part := range strings.SplitSeq("Benchmark"+name, "/") {
		parts = append(parts, "^"+regexp.QuoteMeta(part)+"$")
	}
	return strings.Join(parts, "/")
}
