package fail

import (
	"fmt"
	"strings"
)

// HintList writes up to ten names after a lead, and says how many more there are.
func HintList(lead string, names []string) string {
	const most = 10
	if len(names) == 0 {
		return lead + "none"
	}
	rest := ""
	if len(names) > most {
		rest = fmt.Sprintf(" and %d more", len(names)-most)
		names = names[:most]
	}
	return lead + strings.Join(names, " ") + rest
}
