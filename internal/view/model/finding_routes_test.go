package model

import (
	"strings"
	"testing"

	"github.com/gohone/hone/internal/insight/advice"
	"github.com/gohone/hone/internal/insight/facts"
)

// Of a load with several routes a finding says on which it is, and what part of the requests they are.
func TestRoutesOfAFinding(t *testing.T) {
	route := func(name string, requests float64) facts.Route { return facts.Route{Name: name, Requests: requests} }
	four := []facts.Route{route("GET /a", 0.1), route("GET /b", 0.1), route("GET /c", 0.1), route("GET /d", 0.1)}
	for want, c := range map[string]advice.Costs{
		"costs 24 % of a request's CPU time": {Measure: advice.CPU, Cost: 0.24},
		"costs 24 % of a request's CPU time; on GET /search, 20 % of the requests": {Measure: advice.CPU, Cost: 0.24,
			Routes: []facts.Route{route("GET /search", 0.2)}},
		"costs 24 % of a request's CPU time; on GET /a and GET /b, 20 % of the requests": {Measure: advice.CPU, Cost: 0.24,
			Routes: four[:2]},
		"costs 24 % of a request's CPU time; on GET /a, GET /b, GET /c and 1 other route, 40 % of the requests": {
			Measure: advice.CPU, Cost: 0.24, Routes: four},
		"costs 24 % of p50 latency of GET /search (20 % of the requests)": {Measure: advice.Latency, Cost: 0.24,
			Of: "of GET /search", Routes: []facts.Route{route("GET /search", 0.2)}},
	} {
		if got := FindingCost(advice.Finding{Costs: c}); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	lines := LargeLines(&advice.Findings{Large: []advice.Large{{Measure: advice.CPU, Share: 0.3, What: "sha256.Sum256",
		Routes: []facts.Route{route("GET /hash", 0.25)}}}})
	if len(lines) != 1 || !strings.HasSuffix(lines[0], ": sha256.Sum256; on GET /hash, 25 % of the requests") {
		t.Errorf("%q", lines)
	}
}
