package benchtext

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// resultTail is the part of a result line after the name. Whatever a benchmark prints
// to its standard output stands between the name and this, maybe on lines of its own.
var resultTail = regexp.MustCompile(`(?:^|\s)([0-9]+\s+[0-9][0-9.e+]* ns/op(?:\s.*)?)$`)

// lateResult is a result whose name does not begin the line: the benchmark printed text
// without a line break before. lateName is such a name alone: go test writes a tab after it.
var (
	lateResult = regexp.MustCompile(`(Benchmark\S*\s+[0-9]+\s+[0-9][0-9.e+]* ns/op(?:\s.*)?)$`)
	lateName   = regexp.MustCompile(`(Benchmark\S+ *\t.*)$`)
)

// Line is a line of a test binary's output; result says that it is the result of a benchmark.
type Line struct {
	Text   string
	Result bool
}

// Mended are the lines of an output, each result in one line: text that a benchmark printed
// between its name and its values, or before its name, is taken out. A result stands where its
// values stood, so that every other line keeps its number.
func Mended(output string) []Line {
	var lines []Line
	pending, at := "", 0 // the name whose result has not come yet, and its line
	for raw := range strings.Lines(output) {
		line := strings.TrimRight(raw, "\r\n")
		whole := line
		if late := lateStart(line); late != "" {
			line = late
		}
		rest := line
		if name, after := CutName(line); IsBenchmarkName(name) ||
			isResult(after) && strings.HasPrefix(name, "Benchmark") {
			if isResult(after) {
				lines = append(lines, Line{line, true})
				if pending = ""; !strings.Contains(after, " ns/op") { // maybe the numbers of a log line
					pending, at = name, len(lines)-1
				}
				continue
			}
			pending, at, rest = name, len(lines), after
		}
		tail := resultTail.FindStringSubmatch(rest)
		if tail == nil || pending == "" {
			lines = append(lines, Line{Text: whole})
			continue
		}
		if at < len(lines) {
			lines[at] = Line{}
		}
		lines = append(lines, Line{pending + "\t" + tail[1], true})
		pending = ""
	}
	return lines
}

// lateStart is the end of a line from the name of a benchmark on, if text stands before it.
func lateStart(line string) string {
	if !strings.Contains(line, "Benchmark") {
		return ""
	}
	if late := lateResult.FindString(line); late != "" || strings.HasPrefix(line, "Benchmark") {
		return late
	}
	late := lateName.FindString(line)
	if name, _ := CutName(late); !IsBenchmarkName(name) {
		return ""
	}
	return late
}

// IsBenchmarkName says whether a word is the name of a benchmark, by the rule of go test: Benchmarking is not.
func IsBenchmarkName(word string) bool {
	name, found := strings.CutPrefix(word, "Benchmark")
	first, _ := utf8.DecodeRuneInString(name)
	return found && name != "" && !unicode.IsLower(first)
}
