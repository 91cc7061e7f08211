package model

import (
	"github.com/gohone/hone/internal/insight/advice"
	"github.com/gohone/hone/internal/store/record"
)

// FindingChange is a finding that is not the same in both variants.
type FindingChange struct {
	// Word is gone, new or changed: what became of it from A to B.
	Word  string `json:"word"`
	Title string `json:"title"`
	// Place is the line with its function as text, Rule the rule of hone advise.
	Place string `json:"place"`
	Rule  string `json:"rule"`
	// Measure is what it costs: cpu, growth or memory. Delta is what it takes more in B, in nanoseconds of CPU time per
	// request; 0, with an empty text, for other measures.
	Measure string `json:"measure"`
	Delta   Number `json:"delta"`
}

// FindingChanges are the rows of the findings that whyLines names.
func FindingChanges(of record.Contest) (all []FindingChange) {
	v, ok := gated(of)
	for _, c := range of.Findings {
		one := FindingChange{Word: string(c.Word), Title: c.Title, Place: c.Place.String(), Rule: c.Rule,
			Measure: string(c.Measure)}
		if c.Measure == advice.CPU {
			if !ok || !v.Word.Different() {
				continue // CPU time that is not called different is not explained
			}
			one.Delta = Number{Value: c.Delta, Text: signedNanos(c.Delta)}
		}
		all = append(all, one)
	}
	return all
}
