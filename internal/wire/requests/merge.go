package requests

import (
	"slices"
	"strings"
)

// MergeHeaders are the lines of a request, with those given instead of the same name.
func MergeHeaders(own, given []string) (all []string) {
	for _, line := range own {
		name, _, _ := strings.Cut(line, ":")
		if !slices.ContainsFunc(given, func(g string) bool {
			other, _, _ := strings.Cut(g, ":")
			return strings.EqualFold(strings.TrimSpace(other), strings.TrimSpace(name))
		}) {
			all = append(all, line)
		}
	}
	return append(all, given...)
}
