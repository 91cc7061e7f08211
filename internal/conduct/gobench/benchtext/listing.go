package benchtext

import (
	"regexp"
	"slices"
	"strings"

	"golang.org/x/perf/benchfmt"
)

// Listing is what one run of a test binary with -test.v shows of its benchmarks. Names are
// without Benchmark in front, and without -GOMAXPROCS but in results.
type Listing struct {
	Results []*benchfmt.Result
	Skipped []Remark
	Failed  []Remark
	// begun are the benchmarks in the order in which they began, without those that failed
	// or were skipped; a benchmark with sub-benchmarks is there too.
	begun []string
	// ended says that the testing package came to its end: it printed PASS or FAIL.
	ended bool
}

// Remark is what a benchmark that was skipped, or failed, said.
type Remark struct {
	Name, Text string
}

var (
	// outcomeLine ends a benchmark that has no result.
	outcomeLine = regexp.MustCompile(`^\s*--- (SKIP|FAIL): Benchmark(\S+)$`)
	// beginLine is the name of a benchmark that begins, by itself.
	beginLine = regexp.MustCompile(`^Benchmark(\S+)$`)
	// sourcePosition is in front of what a benchmark logs.
	sourcePosition = regexp.MustCompile(`^[^\s:]+\.go:\d+: `)
)

// ReadListing reads the output of a test binary that ran benchmarks with -test.v. Whatever
// else the benchmarks print is passed over.
func ReadListing(output string) Listing {
	l := Listing{Results: Scan(output)}
	var said []string // since the last benchmark began
	for line := range strings.Lines(output) {
		line = strings.TrimRight(line, "\r\n")
		if m := outcomeLine.FindStringSubmatch(line); m != nil {
			l.end(m[1], Remark{m[2], reasonOf(said)})
			said = nil
			continue
		}
		if m := beginLine.FindStringSubmatch(line); m != nil {
			l.begun, said = append(l.begun, m[1]), nil
			continue
		}
		l.ended = l.ended || line == "PASS" || line == "FAIL"
		said = append(said, line)
	}
	return l
}

// end notes a benchmark that was skipped or failed. One that failed because a sub-benchmark
// did adds nothing to that.
func (l *Listing) end(outcome string, r Remark) {
	l.begun = slices.DeleteFunc(l.begun, func(name string) bool { return name == r.Name })
	switch {
	case outcome == "SKIP":
		l.Skipped = append(l.Skipped, r)
	case !slices.ContainsFunc(l.Failed, func(f Remark) bool { return strings.HasPrefix(f.Name, r.Name+"/") }):
		l.Failed = append(l.Failed, r)
	}
}

// Running is the benchmark during which the process ended; "" if that cannot be told. stderr
// has the trace of a panic, if there was one: while a panic ends the process, the next
// benchmark may begin, so what began last is not always to blame.
func (l Listing) Running(procs int, stderr string) string {
	if l.ended || len(l.begun) == 0 {
		return ""
	}
	begun, function := l.begun, panickedIn(stderr)
	if function != "" {
		begun = slices.DeleteFunc(slices.Clone(begun), func(name string) bool { return FunctionOf(name) != function })
		for i, name := range begun { // they run one after the other: the first without an end
			last := i == len(begun)-1 || !strings.HasPrefix(begun[i+1], name+"/")
			if last && Named(l.Results, resultName(name, procs)) == nil {
				return name
			}
		}
	}
	if len(begun) == 0 {
		return ""
	}
	last := begun[len(begun)-1]
	for Named(l.Results, resultName(last, procs)) != nil {
		slash := strings.LastIndexByte(last, '/')
		switch {
		case slash >= 0:
		case function != "":
			return last // the testing package printed a result for it while the panic ended the process
		default:
			return ""
		}
		last = last[:slash] // a sub-benchmark has ended: the process ended in what called it
	}
	return last
}

// benchmarkFrame is a benchmark function, or a function within one, in the trace of a goroutine.
var benchmarkFrame = regexp.MustCompile(`(?m)^[^\s]*\.(Benchmark[\pL\pN_]*)(?:\.func[0-9.]+)*\(`)

// panickedIn is the benchmark function that the goroutine that panicked was in; "" if there is none.
func panickedIn(stderr string) string {
	for _, mark := range []string{"panic: ", "fatal error: "} {
		if _, trace, found := strings.Cut(stderr, mark); found {
			_, trace, _ = strings.Cut(trace, "\ngoroutine ")
			first, _, _ := strings.Cut(trace, "\n\n")
			if m := benchmarkFrame.FindStringSubmatch(first); m != nil {
				return m[1]
			}
		}
	}
	return ""
}

// reasonOf is what was said, in one line, without its place in the source.
func reasonOf(said []string) string {
	const most = 300 // bytes: a reason is a sentence
	var parts []string
	for _, line := range said {
		if line = sourcePosition.ReplaceAllString(strings.TrimSpace(line), ""); line != "" {
			parts = append(parts, line)
		}
	}
	text := strings.Join(parts, "; ")
	if len(text) > most {
		text = "... " + text[len(text)-most:]
	}
	return strings.ToValidUTF8(text, "?")
}

// FunctionOf is the function that a benchmark, or sub-benchmark, is in: go test prints
// -GOMAXPROCS behind the name, and a function has no such sign.
func FunctionOf(name string) string {
	name, _, _ = strings.Cut(name, "/")
	name, _, _ = strings.Cut(name, "-")
	return "Benchmark" + name
}
