package mcpserver

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/gohone/hone/internal/program/reach"
	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/store/benchmarks"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/view/report"
)

type reachArguments struct {
	Package string   `json:"package" jsonschema:"package or pattern: ./..."`
	Base    string   `json:"base,omitempty"`
	Wait    *float64 `json:"wait_seconds,omitempty"`
}

// reach says what benchmarks and tests execute of a change. It executes them, and so it is a measurement.
func (s *Server) reach(ctx context.Context, r *mcp.CallToolRequest, in reachArguments) (string, Facts, error) {
	pkg, err := s.packageIn(in.Package, true, true)
	if err != nil {
		return "", Facts{}, err
	}
	base := in.Base
	if base == "" {
		base = "HEAD"
	}
	commit, err := s.commit(ctx, base)
	if err != nil {
		return "", Facts{}, err
	}
	return s.measure(ctx, r, in.Wait, []string{"reach", "--json", spec.Option(spec.ForReach, "vs", commit), pkg})
}

// reached reads the answer of hone reach; nil if a measurement is another one.
func (m *measurement) reached() *benchmarks.Reach {
	var found benchmarks.Reach
	if json.Unmarshal(m.document, &found) != nil || found.Schema != benchmarks.ReachSchema || found.Table == nil {
		return nil
	}
	return &found
}

// describeReach is the answer to reach: as hone reach prints it, and which benchmarks to compare.
func describeReach(found *benchmarks.Reach, f *Facts) (string, error) {
	var text strings.Builder
	if err := report.Reach(&text, found); err != nil {
		return "", fail.New(fail.Internal, "write what the benchmarks execute: %w", err)
	}
	f.State, f.Next = "complete", []string{nextOfReach(found.Functions)}
	return text.String(), nil
}

// nextOfReach is what to do by what the benchmarks execute.
func nextOfReach(changed []reach.Function) string {
	if len(changed) == 0 {
		return "change the code: what is compiled is the same as in base"
	}
	for _, f := range changed {
		if f.During(reach.Benchmark) {
			return "compare package=./PACKAGE bench=."
		}
	}
	return "compare package=./PACKAGE of a program that executes it: no benchmark does"
}
