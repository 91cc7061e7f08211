package insight

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/gohone/hone/bench/bed"
	"github.com/gohone/hone/internal/insight/walltime"
)

const (
	firstGoal = 0.9
	shareGoal = 0.85
	// sharePoints is how far a share of hone's may be from the service's own.
	sharePoints = 0.15
	// namedFrom is the share of a cause from which hone names it: in a control nothing that requests wait for may reach it.
	namedFrom = 0.10
	// causesKept are enough for a reader.
	causesKept = 5
)

// statesOf are hone's words for the categories of truth.json.
var statesOf = map[string][]walltime.State{
	"lock": {walltime.Lock}, "channel": {walltime.Channel}, "network": {walltime.Network}, "sleep": {walltime.Sleep},
	"disk": {walltime.Syscall}, "cpu": {walltime.Running}, "queue": {walltime.Runnable, walltime.Requests}, "gc": {walltime.Collector},
}

// group is the mean request of some, as the service recorded it.
type group struct {
	Requests int              `json:"requests"`
	Total    int64            `json:"total_ns"`
	Parts    map[string]int64 `json:"parts_ns"`
}

// stamped is the record of a service.
type stamped struct {
	Requests int   `json:"requests"`
	Slow     group `json:"slow"`
	Typical  group `json:"typical"`
}

// share is the part of what slow requests take longer that a cause explains, 0 to 1.
func (s stamped) share(part string) float64 {
	longer := float64(s.Slow.Total - s.Typical.Total)
	if longer <= 0 {
		return 0
	}
	return float64(s.Slow.Parts[part]-s.Typical.Parts[part]) / longer
}

// waited is what hone and the service said of slow requests at one rate.
type waited struct {
	RateHz   float64          `json:"rate_hz"`
	Requests int              `json:"requests"`
	Joined   int              `json:"joined"`
	Causes   []walltime.Cause `json:"causes"`
	Truth    stamped          `json:"truth"`
}

// waiting loads a service at its rates and keeps what hone says of slow requests, and what the service does.
func (c config) waiting(ctx context.Context, p *program, r *record) error {
	for _, rate := range p.Load.Rates {
		path := filepath.Join(c.Dir, "truth.json")
		if err := os.RemoveAll(path); err != nil {
			return err
		}
		id, err := c.load(ctx, p, r, "--rate", strconv.FormatFloat(rate, 'f', -1, 64), "--env", "TRUTH="+path)
		if err != nil {
			return err
		}
		w := waited{RateHz: rate}
		text, err := os.ReadFile(path)
		if err == nil {
			err = json.Unmarshal(text, &w.Truth)
		}
		if err != nil {
			return fmt.Errorf("read what the service recorded: %w", err)
		}
		var d walltime.Digest
		if _, err := c.Hone.Ask(ctx, &d, nil, "tail", id); err != nil {
			return err
		}
		if d.Schema != walltime.Schema {
			return fmt.Errorf("read what hone tail %s prints: schema %q, want %s", id, d.Schema, walltime.Schema)
		}
		w.Requests, w.Joined, w.Causes = d.Requests, d.Joined, d.Causes[:min(causesKept, len(d.Causes))]
		r.Waits = append(r.Waits, w)
	}
	return nil
}

// slowness is what became of one service at one rate.
type slowness struct {
	*program
	waited
	Most  *cause // that takes most by the service's own record; nil in a control
	Named string // what hone says first
	Right bool
	Held  *bool // whether the share of the first cause agrees; nil where it is wrong, or the service cannot record it
	Said  float64
	True  float64
}

// judgeWait holds what hone says first against the cause that takes most by the service's own record.
func judgeWait(p *program, w waited) slowness {
	j := slowness{program: p, waited: w, Named: "nothing"}
	if len(w.Causes) > 0 {
		j.Named, j.Said = callText(w.Causes[0].Call), w.Causes[0].Share
	}
	if p.Control {
		j.Right = !slices.ContainsFunc(w.Causes, func(c walltime.Cause) bool {
			return c.Share >= namedFrom && slices.Contains([]walltime.State{walltime.Lock, walltime.Channel, walltime.Network, walltime.Sleep}, c.State)
		})
		return j
	}
	most := slices.MaxFunc(p.Causes, func(a, b cause) int { return cmp.Compare(w.Truth.share(a.Part), w.Truth.share(b.Part)) })
	j.Most = &most
	j.True = w.Truth.share(most.Part)
	if len(w.Causes) == 0 {
		return j
	}
	first := w.Causes[0]
	inCategory := slices.ContainsFunc(most.Category, func(word string) bool { return slices.Contains(statesOf[word], first.State) })
	j.Right = inCategory && (len(most.At) == 0 || p.at(most.At, first.File, int64(first.Line)))
	if j.Right && !most.Outside {
		held := math.Abs(j.Said-j.True) <= sharePoints
		j.Held = &held
	}
	return j
}

func callText(c walltime.Call) string {
	return fmt.Sprintf("%s %s %s:%d", c.State, c.Library, filepath.Base(c.File), c.Line)
}

func writeWaits(r *bed.Result, of *corpus, all map[string]record) {
	var first, shares, controls bed.Share
	t := r.Table("Services that wait, "+of.half()+" half", "service", "rate, 1/s", "joined", "right", "said first", "share", "true", "true cause")
	for _, p := range of.programs {
		for _, w := range all[p.Name].Waits {
			j := judgeWait(p, w)
			truth := "none"
			if p.Control {
				controls.Add(j.Right)
			} else {
				first.Add(j.Right)
				truth = j.Most.Part
			}
			if j.Held != nil {
				shares.Add(*j.Held)
			}
			t.Row(p.Name, fmt.Sprint(w.RateHz), fmt.Sprintf("%d of %d", w.Joined, w.Requests), bed.Yes(j.Right), j.Named,
				fmt.Sprintf("%.0f %%", 100*j.Said), fmt.Sprintf("%.0f %%", 100*j.True), truth)
		}
	}
	claim := func(what string) string {
		return fmt.Sprintf("`hone tail`, %s half of the corpus: %s", of.half(), what)
	}
	r.Goal(claim("the first cause is right, place and category"), first, bed.AtLeast, firstGoal)
	r.Goal(claim("its share is within 15 points of the service's own record"), shares, bed.AtLeast, shareGoal)
	r.Goal(claim("no cause is named in a control"), controls, bed.AtLeast, 1)
}
