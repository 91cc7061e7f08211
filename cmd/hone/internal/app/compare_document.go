package app

import "github.com/gohone/hone/internal/store/record"

// ComparisonDocument is the JSON of a comparison with its runs.
type ComparisonDocument[R any] struct {
	Schema     string             `json:"schema"`
	Comparison *record.Comparison `json:"comparison"`
	Runs       []R                `json:"runs"`
}

func DocumentOf(out *record.Outcome) ComparisonDocument[record.Run] {
	return ComparisonDocument[record.Run]{"hone.compare/2", out.Comparison, out.Runs}
}

func OnceDocumentOf(out *record.ExecutionsOutcome) ComparisonDocument[record.Executions] {
	return ComparisonDocument[record.Executions]{"hone.once-compare/1", out.Comparison, out.Runs}
}
