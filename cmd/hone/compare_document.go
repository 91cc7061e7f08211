package main

import "github.com/gohone/hone/internal/store/record"

// comparisonDocument is the JSON of a comparison with its runs.
type comparisonDocument[R any] struct {
	Schema     string             `json:"schema"`
	Comparison *record.Comparison `json:"comparison"`
	Runs       []R                `json:"runs"`
}

func documentOf(out *record.Outcome) comparisonDocument[record.Run] {
	return comparisonDocument[record.Run]{"hone.compare/2", out.Comparison, out.Runs}
}

func onceDocumentOf(out *record.ExecutionsOutcome) comparisonDocument[record.Executions] {
	return comparisonDocument[record.Executions]{"hone.once-compare/1", out.Comparison, out.Runs}
}
