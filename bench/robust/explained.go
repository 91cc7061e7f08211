package robust

import "strings"

// explanation says why a failure that is known happens, and what becomes of it.
type explanation struct {
	Kind string
	// What is what was tried; empty is anything. Text is a part of the failure.
	What, Text string
	// Why is a sentence of the document.
	Why string
}

// explained are the failures that are understood. One that is fixed stays here as long as the
// results have it.
var explained = []explanation{
	{Kind: "orphans", What: everyGuard, Text: "processes live",
		Why: "when hone, its guard and its backup are killed at the same moment, nothing that could end the program's children is left. " +
			"The main process dies by its death signal; the next hone ends the children that have its mark in their environment."},
}

// explanationOf is nil if a failure is not explained.
func explanationOf(known []explanation, kind string, o outcome, failure string) *explanation {
	for i, e := range known {
		if e.Kind == kind && (e.What == "" || e.What == o.What) && strings.Contains(failure, e.Text) {
			return &known[i]
		}
	}
	return nil
}
