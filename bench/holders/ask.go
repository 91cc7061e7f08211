package holders

import (
	"context"
	"time"

	"github.com/gohone/hone/bench/honecli"
)

// holder is one of those that hone names.
type holder struct {
	Name    string `json:"name"` // such as "cache.sessions", or "main.(*server).handle buf" for a local variable
	File    string `json:"file,omitempty"`
	Line    int    `json:"line,omitempty"`
	Bytes   int64  `json:"bytes"` // that it retains
	Objects int64  `json:"objects"`
}

// answer is what hone says of a dump, and what that costs.
type answer struct {
	Holders   []holder `json:"holders"` // the first few
	WallNanos int64    `json:"wall_ns"`
	PeakBytes int64    `json:"peak_bytes"` // largest resident set of hone
}

// kept are so many holders as a record keeps.
const kept = 5

// ask has hone name the holders in a dump of a program. It is the only place that knows how hone is asked and what it prints.
func ask(ctx context.Context, hone honecli.Hone, dump, binary string) (answer, error) {
	var d struct {
		Holders []holder `json:"holders"`
	}
	hone.Ledger = "" // a dump is of none
	done, err := hone.Ask(ctx, &d, nil, "profile holders", dump, binary)
	return answer{d.Holders[:min(kept, len(d.Holders))], done.Wall.Nanoseconds(), done.Peak}, err
}

func (a answer) took() time.Duration { return time.Duration(a.WallNanos) }
