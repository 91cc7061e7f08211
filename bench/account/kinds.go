package account

import "regexp"

// kind is a kind of memory, and what hone's names of it match. The first one that matches a name counts.
type kind struct {
	name  string
	parts *regexp.Regexp
	// kept says that a program cannot shrink it, unless it was planted; outside, that it is not in the resident set.
	kept, outside bool
}

// The kinds that the judge treats apart.
const (
	pageCache    = "page cache"
	notAccounted = "not accounted"
)

// kinds are all of them. It is the only place that knows hone's names.
var kinds = []kind{
	{name: notAccounted, parts: regexp.MustCompile(`(?i)(not|un) ?accounted`), kept: true},
	{name: pageCache, parts: regexp.MustCompile(`(?i)page cache`), outside: true},
	{name: "shared memory", parts: regexp.MustCompile(`(?i)shared mem|shmem|memfd|tmpfs|/dev/shm`)},
	{name: "file mapping", parts: regexp.MustCompile(`(?i)mapped files?|files? mapp|mmap of (a )?files?|mappings? of (a )?file`)},
	{name: "garbage", parts: regexp.MustCompile(`(?i)garbage|not yet collected`)},
	{name: "free spans", parts: regexp.MustCompile(`(?i)free (heap|spans?|pages)|spans? kept`)},
	{name: "fragmentation", parts: regexp.MustCompile(`(?i)fragment|unused in spans`)},
	{name: "goroutine stacks", parts: regexp.MustCompile(`(?i)goroutine|^stacks?\b`)},
	{name: "live heap", parts: regexp.MustCompile(`(?i)\blive\b|reachable`)},
	{name: "anonymous outside of the runtime", parts: regexp.MustCompile(`(?i)\bcgo\b|anonymous|outside of (the runtime|go)`)},
	{name: "runtime structures", parts: regexp.MustCompile(`(?i)\bruntime\b|profile buckets|mspan|metadata`), kept: true},
	{name: "binary", parts: regexp.MustCompile(`(?i)\bbinary\b|\bexecutable\b|^text\b|^data\b`), kept: true},
}

// kindOf is the kind of a part. One with a name that none matches is a kind of its own.
func kindOf(part string) kind {
	for _, k := range kinds {
		if k.parts.MatchString(part) {
			return k
		}
	}
	return kind{name: part}
}
