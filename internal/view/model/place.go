package model

import (
	"strings"

	"github.com/gohone/hone/internal/store/record"
)

// RanIn says in which directory each variant ran, once if all ran in the same; "" where it
// is not known, as for runs of an older hone.
func RanIn(runs []record.Run) string {
	same := true
	var parts []string
	for i, r := range runs {
		if r.Dir == "" {
			return ""
		}
		same = same && r.Dir == runs[0].Dir
		parts = append(parts, Letter(i)+" "+place(r))
	}
	if len(runs) == 0 {
		return ""
	}
	if same {
		return "ran in: " + place(runs[0])
	}
	return "ran in: " + strings.Join(parts, ", ")
}

func place(r record.Run) string { return Directory(r.Head) }

// Directory is where a run's program ran; empty where that is not known.
func Directory(r record.Head) string {
	if len(r.Copied) > 0 {
		from := r.Dir
		if r.DirRef != "" {
			from = "a checkout of " + r.DirRef
		}
		return "a directory of its own for each start, with copies of " + strings.Join(r.Copied, ", ") + " from " + from
	}
	if r.DirRef != "" {
		return r.Dir + " (a checkout of " + r.DirRef + ", removed since)"
	}
	return r.Dir
}
