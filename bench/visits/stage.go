package visits

import (
	"fmt"
	"io"
	"net/http"
	"strings"
)

// Stage is one rung of the ladder.
type Stage struct {
	// Name is what the program's -stage takes, and the name of the benchmark.
	Name string
	// Change is what it changes against the stage before it, in one phrase.
	Change string
	// Slower says that the change is known to make it slower.
	Slower bool
	// New returns a counter that starts at no visits and logs to log, one Write for each
	// visit and never two at a time.
	New func(log io.Writer) http.Handler
}

// Stages is the ladder, lowest rung first.
var Stages = []Stage{
	{Name: "regexp", Change: "a regular expression compiled for each request; one mutex held throughout", New: newRegexp},
	{Name: "regexp-once", Change: "compiled once", New: newRegexpOnce},
	{Name: "loop", Change: "a loop in place of the regular expression", New: newLoop},
	{Name: "header", Change: "the header's value shared by all answers", New: newHeader},
	{Name: "logline", Change: "the log line appended to one buffer in place of marshalled from a map", New: newLogline},
	{Name: "fprintf", Change: "fmt.Fprintf for the answer, which reads better", Slower: true, New: newFprintf},
	{Name: "pooled", Change: "a pooled buffer for the answer, appended to", New: newPooled},
	{Name: "query", Change: "the query read in place", New: newQuery},
	{Name: "narrow", Change: "a mutex held for the count only, another one for the log", New: newNarrow},
}

// LookupStage finds a stage by name; the error names the known ones.
func LookupStage(name string) (Stage, error) {
	known := make([]string, len(Stages))
	for i, s := range Stages {
		if s.Name == name {
			return s, nil
		}
		known[i] = s.Name
	}
	return Stage{}, fmt.Errorf("unknown stage %q (known: %s)", name, strings.Join(known, ", "))
}
