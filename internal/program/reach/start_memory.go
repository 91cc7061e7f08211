package reach

import (
	"errors"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/gohone/hone/internal/program/samecode"
)

// TracesStart is the variable of an environment with which the runtime writes to stderr what each package allocates
// before main: GODEBUG with inittrace=1 after what it has.
func TracesStart(env []string) string {
	settings := "inittrace=1"
	for _, v := range env {
		if own, found := strings.CutPrefix(v, "GODEBUG="); found && own != "" {
			settings = own + ",inittrace=1"
		}
	}
	return "GODEBUG=" + settings
}

// traced is a line of it: init example.com/m @0.5 ms, 0.01 ms clock, 1024 bytes, 7 allocs.
var traced = regexp.MustCompile(`(?m)^init (\S+) @.* ms clock, (\d+) bytes, \d+ allocs\r?$`)

// StartMemory is how many bytes some packages allocate before main, by what the runtime wrote.
func StartMemory(stderr string, packages []string) (bytes int, err error) {
	lines := traced.FindAllStringSubmatch(stderr, -1)
	if len(lines) == 0 { // the library always has some
		return 0, errors.New("the program says nothing of its start")
	}
	for _, line := range lines {
		path, err := url.PathUnescape(line[1])
		if err != nil {
			return 0, err
		}
		n, err := strconv.Atoi(line[2])
		if err != nil {
			return 0, err
		}
		if slices.Contains(packages, path) {
			bytes += n
		}
	}
	return bytes, nil
}

// StartsAlike says that both sides allocate about as much before main: more memory makes the cycles of the collector
// longer.
func StartsAlike(allocated [2]int) bool {
	more := allocated[1] - allocated[0]
	return max(more, -more) <= samecode.MostStarted
}
