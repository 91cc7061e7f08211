package cheats

import (
	"fmt"
	"slices"
)

// seen is what a user of a program sees, who has requests of his own and knows nothing of hone. Counts are of all
// processes, from the start of the program to its end.
type seen struct {
	work, syncs, peak uint64
	allocated         uint64
	audit, log, spans int // lines
	requests, asks    int // as /metrics and the backend count them
	answers           []string
}

// proof says what makes a pair what it is said to be; an error says that it is not.
type proof func(a, b seen) error

// proofs are known by the names that pairs have them by.
var proofs = map[string]proof{
	"work": func(a, b seen) error {
		return want(float64(b.work) >= 0.9*float64(a.work), "B works %d rounds, A %d", b.work, a.work)
	},
	"answers": func(a, b seen) error {
		return want(!slices.Equal(a.answers, b.answers), "all %d answers are the same", len(a.answers))
	},
	"audit": func(a, b seen) error { return fewer("lines of audit", a.audit, b.audit) },
	"log":   func(a, b seen) error { return fewer("lines of log", a.log, b.log) },
	"spans": func(a, b seen) error { return fewer("spans", a.spans, b.spans) },
	"count": func(a, b seen) error { return fewer("requests in /metrics", a.requests, b.requests) },
	"asks":  func(a, b seen) error { return fewer("requests to the backend", a.asks, b.asks) },
	"syncs": func(a, b seen) error { return fewer("syncs", int(a.syncs), int(b.syncs)) },
	"memory": func(a, b seen) error {
		return want(b.peak > a.peak+30<<20, "B takes %d MB, A %d", b.peak>>20, a.peak>>20)
	},
	// of honest pairs
	"less work": func(a, b seen) error {
		return asGood(a, b, float64(b.work) <= 0.8*float64(a.work), "B works %d rounds, A %d", b.work, a.work)
	},
	"less garbage": func(a, b seen) error {
		return asGood(a, b, float64(b.allocated) <= 0.8*float64(a.allocated), "B allocates %d bytes, A %d", b.allocated,
			a.allocated)
	},
	"fewer syncs": func(a, b seen) error {
		return asGood(a, b, b.syncs > 0 && b.syncs < a.syncs, "B syncs %d times, A %d", b.syncs, a.syncs)
	},
}

func want(ok bool, format string, args ...any) error {
	if ok {
		return nil
	}
	return fmt.Errorf(format, args...)
}

func fewer(what string, a, b int) error {
	return want(float64(b) < 0.95*float64(a), "%s: B %d, A %d", what, b, a)
}

// asGood wants what a user has of B to be what he has of A, besides ok.
func asGood(a, b seen, ok bool, format string, args ...any) error {
	if !slices.Equal(a.answers, b.answers) {
		return fmt.Errorf("answers differ")
	}
	if a.audit != b.audit || a.log != b.log || a.spans != b.spans || a.requests != b.requests || a.asks != b.asks {
		return fmt.Errorf("of audit, log, spans, count and asks B leaves %d, %d, %d, %d, %d, A %d, %d, %d, %d, %d",
			b.audit, b.log, b.spans, b.requests, b.asks, a.audit, a.log, a.spans, a.requests, a.asks)
	}
	return want(ok, format, args...)
}
