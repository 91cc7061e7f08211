package page

import "github.com/gohone/hone/internal/view/stored"

// Library makes pages from a ledger. It only reads. Its methods may be called at the same time.
type Library struct{ Stored *stored.Library }

// The addresses of pages below /api/v1/, which are also the keys of the answers in a report:
//
//	runs/ID                          Run
//	runs/ID/profiles/KIND            Profile; a wait profile takes ?cohort=slow
//	runs/ID/source/KIND?file=NAME    Source: a file that the profile names
//	comparisons/ID                   Comparison
//	stored/A/B                       Comparison of two stored runs
//	history                          History; takes ?measure= and the filters
//	live                             server-sent events, a Live each
//	artefacts/SHA256                 the bytes of an artefact

// RunPath is the address of a run's page.
func RunPath(id string) string { return "runs/" + id }

// ComparisonPath is the address of a comparison's page.
func ComparisonPath(id string) string { return "comparisons/" + id }

// ProfilePath is the address of a profile; cohort is empty but for wait profiles.
func ProfilePath(run, kind, cohort string) string {
	path := RunPath(run) + "/profiles/" + kind
	if cohort != "" {
		path += "?cohort=" + cohort
	}
	return path
}
