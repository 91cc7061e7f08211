package model

import (
	"fmt"

	"github.com/gohone/hone/internal/insight/advice"
	"github.com/gohone/hone/internal/insight/code"
	"github.com/gohone/hone/internal/insight/facts"
	"github.com/gohone/hone/internal/insight/walltime"
)

// A cause has one account, which is that of its finding: other views of the run name the finding.

// CauseText is a part of the time of requests in a sentence, with the number of the finding that counts its line:
// "lock sync.(*Mutex).Lock main.go:69 (finding 1)". found may be nil.
func CauseText(found *advice.Findings, l walltime.Label) string {
	return facts.PartText(l) + ofFinding(" (finding %d)", found, l)
}

// ofFinding is a text with the number of the finding that counts the line of a part; empty for none.
func ofFinding(text string, found *advice.Findings, l walltime.Label) string {
	var behind walltime.Call
	if l.Behind != nil {
		behind = *l.Behind
	}
	if n := found.Of(lineOf(l.Call), lineOf(behind)); n > 0 {
		return fmt.Sprintf(text, n)
	}
	return ""
}

func lineOf(c walltime.Call) code.Place {
	return code.Place{Function: c.Function, File: c.File, Line: int64(c.Line)}
}
