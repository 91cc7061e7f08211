package page

import (
	"slices"

	"github.com/gohone/hone/internal/insight/walltime"
	"github.com/gohone/hone/internal/store/record"
	"github.com/gohone/hone/internal/text/units"
	"github.com/gohone/hone/prof"
)

// profileTitles say what the profile of a kind is of.
var profileTitles = map[string]string{
	"cpu": "CPU time", prof.WaitKind: "wall time of a request", "allocs": "allocations", "heap": "live heap",
	"mutex": "holding locks",
	"block": "waiting", "goroutine": "goroutines", "goroutineleak": "goroutines that nothing can wake",
	prof.HoldersKind: "held memory",
}

// profiles are those that the ledger keeps of a run, in the order in which kinds are shown; a wait profile for each
// cohort.
func (s *storedRun) profiles() []ProfileRef {
	kinds := map[string]bool{}
	for _, a := range s.artefacts {
		if a.Kind == record.ProfileArtefact {
			kinds[record.ProfileKind(a)] = true
		}
	}
	all := []ProfileRef{}
	for _, kind := range kindOrder(kinds) {
		cohorts := []string{""}
		if kind == prof.WaitKind {
			cohorts = []string{walltime.TypicalName, walltime.SlowName}
		}
		for _, cohort := range cohorts {
			title := profileTitles[kind]
			if title == "" {
				title = kind
			}
			if cohort != "" {
				title = "wall time of the " + cohort + " request"
			}
			all = append(all, ProfileRef{Kind: kind, Title: title, Run: s.row.ID,
				Path: ProfilePath(s.row.ID, kind, cohort), Cohort: cohort})
		}
	}
	return all
}

// kindOrder are kinds in the order in which they are shown, unknown ones last by their names.
func kindOrder(kinds map[string]bool) []string {
	var order, rest []string
	for _, name := range prof.KindNames() {
		if kinds[name] {
			order = append(order, name)
		}
	}
	for name := range kinds {
		if !slices.Contains(order, name) {
			rest = append(rest, name)
		}
	}
	slices.Sort(rest)
	return append(order, rest...)
}

// files are the artefacts of a run in the order in which they were stored.
func (s *storedRun) files() []Artefact {
	all := []Artefact{}
	for _, a := range s.artefacts {
		all = append(all, Artefact{Kind: a.Kind, Name: a.Name, Size: units.Bytes(float64(a.Size)), SHA256: a.SHA256})
	}
	return all
}
