package service

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/gohone/hone/internal/text/units"
)

// redirectWarning says how many answers of a target were redirects, by their statuses, and
// what to do about it; empty if none was. hone follows none: what is measured then is how
// fast the service sends clients elsewhere.
func redirectWarning(target string, codes map[int]uint64) string {
	if !strings.HasPrefix(target, "http://") && !strings.HasPrefix(target, "https://") {
		return ""
	}
	var all, redirects uint64
	var statuses []string
	for _, code := range slices.Sorted(maps.Keys(codes)) {
		all += codes[code]
		if code >= 300 && code <= 399 && code != 304 { // 304 names no other place
			redirects += codes[code]
			statuses = append(statuses, fmt.Sprint(code))
		}
	}
	if redirects == 0 {
		return ""
	}
	return fmt.Sprintf("%s of %s answers were redirects (status %s), which hone does not follow: name the final path "+
		"with --path, or expect the status with --set expect-status=%s",
		units.Count(redirects), units.Count(all), strings.Join(statuses, ", "), strings.Join(statuses, ","))
}
