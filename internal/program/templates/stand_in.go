package templates

import (
	"slices"
	"strings"
)

// StandIn says whether one of the texts has the template.
func StandIn(template string, lists ...[]string) bool {
	for _, list := range lists {
		if slices.ContainsFunc(list, func(s string) bool { return strings.Contains(s, template) }) {
			return true
		}
	}
	return false
}
