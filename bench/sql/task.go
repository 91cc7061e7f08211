package sql

import (
	"fmt"
	"slices"
)

// task is a service to try once.
type task struct {
	*service
	Database database
	Fixed    bool
}

// key is what a later record replaces an earlier one by.
type key struct {
	Service  string   `json:"service"`
	Database database `json:"database"`
	Fixed    bool     `json:"fixed,omitempty"`
}

func (t task) key() key { return key{t.Name, t.Database, t.Fixed} }

// defect says whether the service has a defect that hone should name.
func (t task) defect() bool { return !t.Fixed && t.kind != decoy }

// String is a task as progress shows it.
func (t task) String() string {
	what := map[bool]string{true: "fixed", false: string(t.kind)}[t.Fixed]
	return fmt.Sprintf("%s with %s, %s", t.Name, t.Database, what)
}

// tasks are those of all services, or of those that are named. A decoy has nothing to fix.
func tasks(all []*service, only []string) (some []task) {
	for _, s := range all {
		if len(only) > 0 && !slices.Contains(only, s.Name) {
			continue
		}
		for _, d := range []database{sqlite, postgres} {
			some = append(some, task{s, d, false})
			if s.kind != decoy {
				some = append(some, task{s, d, true})
			}
		}
	}
	return some
}
