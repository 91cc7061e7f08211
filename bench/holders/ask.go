package holders

import (
	"context"
	"strings"
	"time"

	"github.com/gohone/hone/bench/honecli"
)

// holder is one of those that hone names.
type holder struct {
	Name    string `json:"name"` // such as "cache.sessions"; ask puts the function of a local variable before it: "main.(*server).handle buf"
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
		Holders []struct {
			holder
			Function string `json:"function"`
		} `json:"holders"`
	}
	hone.Ledger = "" // a dump is of none
	done, err := hone.Ask(ctx, &d, nil, "profile holders", dump, binary)
	a := answer{WallNanos: done.Wall.Nanoseconds(), PeakBytes: done.Peak}
	for _, h := range d.Holders[:min(kept, len(d.Holders))] {
		h.Name = strings.TrimSpace(h.Function + " " + h.Name)
		a.Holders = append(a.Holders, h.holder)
	}
	return a, err
}

func (a answer) took() time.Duration { return time.Duration(a.WallNanos) }
