package account

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"github.com/gohone/hone/bench/honecli"
)

// part is one of those that hone says.
type part struct {
	Name  string `json:"name"`
	Bytes int64  `json:"bytes"`
}

// answer is what hone says of a process, and what that costs.
type answer struct {
	RSS   int64         `json:"rss_bytes"`
	Parts []part        `json:"parts"`
	Wall  time.Duration `json:"wall_ns"`
}

// ask has hone account for the memory of a process. It is the only place that knows how hone is asked and what it prints.
func ask(ctx context.Context, hone honecli.Hone, pid int) (*answer, error) {
	var a answer
	hone.Ledger = "" // a process is of none
	done, err := hone.Ask(ctx, &a, nil, "profile memory", strconv.Itoa(pid))
	if err != nil {
		return nil, err
	}
	if len(a.Parts) == 0 {
		return nil, fmt.Errorf("read what hone profile memory prints: no parts in %.200q", done.Stdout)
	}
	a.Wall = done.Wall
	return &a, nil
}
