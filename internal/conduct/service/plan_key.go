package service

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/gohone/hone/internal/conduct/lab"
	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/internal/text/redact"
)

// planKey is what has to be equal for runs of this request to be comparable. What must not be
// stored counts by a digest.
func planKey(r lab.Task, target string, hide redact.Env) ledger.PlanKey {
	p := ledger.PlanKey{
		Target: redact.URL(target), Connections: r.Plan.Connections, Depth: r.Plan.Depth, RateHz: r.RateHz,
		Args: redact.Args(r.Args),
	}
	var more []string
	if text, err := json.Marshal(r.Protocol); err == nil && string(text) != "{}" {
		more = append(more, "options "+lab.Digest(hide, string(text)))
	}
	if p.Target != target || !slices.Equal(p.Args, r.Args) {
		_, query, _ := strings.Cut(target, "?") // host and port do not count
		more = append(more, "values "+lab.Digest(hide, strings.Join(append([]string{query}, r.Args...), "\x00")))
	}
	if r.LoadCommand.Given() {
		more = append(more, "load command "+lab.Digest(hide, strings.Join(r.LoadCommand.Words, "\x00")))
	}
	if r.Agents != nil {
		more = append(more, fmt.Sprintf("%d agents", len(r.Agents.Names)))
	}
	if box := r.Box.String(); box != "" {
		more = append(more, "box "+box)
	}
	p.More = strings.Join(more, ", ")
	return p
}
