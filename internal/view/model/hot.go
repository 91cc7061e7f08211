package model

import (
	"fmt"

	"github.com/gohone/hone/internal/insight/advice"
	"github.com/gohone/hone/internal/insight/code"
	"github.com/gohone/hone/internal/text/units"
	"github.com/gohone/hone/prof"
	"github.com/gohone/hone/prof/symbol"
)

// HotLines are the most expensive sites of a CPU profile, with the samples that their shares rest on, and the finding
// of the run that counts them; found may be nil. Of too few samples there are no shares, and no sites of one sample
// but the first:
//
//	41 % of CPU in Syscall under net.(*conn).Read  framed/raw.go:41  (63 of 152 samples)
//	3 of 9 samples of CPU in main.run  prog/main.go:9  (too few for shares)
func HotLines(costs []prof.Cost, found *advice.Findings) []string {
	var lines []string
	for i, row := range HotRows(costs, found) {
		if row.Share != "" || costs[i].Samples > 1 || len(lines) == 0 {
			lines = append(lines, row.String())
		}
	}
	return lines
}

// HotRow is one of HotLines with its figures apart. Share is empty where the samples are too few for shares, Samples
// where they were not counted: "55 of 130 samples".
type HotRow struct {
	What    string `json:"what"`
	Place   string `json:"place,omitempty"`
	Share   string `json:"share,omitempty"`
	Samples string `json:"samples,omitempty"`
	// Finding is the number of the finding that it is a part of; 0 for none.
	Finding int `json:"finding,omitempty"`
}

// HotRows are the most expensive sites of a CPU profile as rows.
func HotRows(costs []prof.Cost, found *advice.Findings) (rows []HotRow) {
	for _, c := range costs {
		row := HotRow{What: c.What, Finding: found.Of(code.Place{Function: c.Function, File: c.File, Line: c.Line})}
		if c.File != "" {
			row.Place = fmt.Sprintf("%s:%d", symbol.ShortFile(c.File), c.Line)
		}
		if c.Of > 0 { // else it is of a document from a time when samples were not counted
			row.Samples = fmt.Sprintf("%s of %s", units.Count(uint64(c.Samples)), units.Plural(int(c.Of), "sample"))
		}
		if c.Of <= 0 || c.Of >= prof.FewestSamples {
			row.Share = fmt.Sprintf("%.0f %%", c.Share)
		}
		rows = append(rows, row)
	}
	return rows
}

// String is the row as a line.
func (r HotRow) String() string {
	place := r.What
	if r.Place != "" {
		place += "  " + r.Place
	}
	part := ""
	if r.Finding > 0 {
		part = fmt.Sprintf(", part of finding %d", r.Finding)
	}
	switch {
	case r.Samples == "":
		return r.Share + " of CPU in " + place + part
	case r.Share == "":
		return r.Samples + " of CPU in " + place + "  (too few for shares)"
	}
	return r.Share + " of CPU in " + place + "  (" + r.Samples + ")" + part
}
