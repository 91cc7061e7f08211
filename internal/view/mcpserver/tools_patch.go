package mcpserver

import (
	"context"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/gohone/hone/internal/program/source"
	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/shellwords"
)

// tryArguments are those of try_patch. There is none that allows a patch to touch more than code.
type tryArguments struct {
	Patch   string   `json:"patch" jsonschema:"as git diff writes it"`
	Package string   `json:"package"`
	Base    string   `json:"base,omitempty"`
	Bench   string   `json:"bench,omitempty"`
	Target  string   `json:"target,omitempty"`
	Gate    []string `json:"gate,omitempty"`
	Budget  string   `json:"budget,omitempty"`
	Args    []string `json:"args,omitempty"`
	Wait    *float64 `json:"wait_seconds,omitempty"`
}

// mostPatch bounds a patch of an agent, in bytes: a message may have no more.
const mostPatch = 512 << 10

// tryPatch compares base with the patch on it.
func (s *Server) tryPatch(ctx context.Context, r *mcp.CallToolRequest, in tryArguments) (string, Facts, error) {
	if len(in.Patch) > mostPatch || strings.TrimSpace(in.Patch) == "" {
		return "", Facts{}, refuse("write a unified diff of up to 512 KiB", "the patch has %d bytes", len(in.Patch))
	}
	of := spec.ForCompare
	if in.Bench != "" {
		of = spec.ForBench
	}
	pkg, err := s.packageIn(in.Package, in.Bench != "", false)
	if err != nil {
		return "", Facts{}, err
	}
	base := in.Base
	if base == "" {
		base = "HEAD"
	}
	if _, err := s.commit(ctx, base); err != nil {
		return "", Facts{}, err
	}
	if err := programArgs(in.Args); err != nil {
		return "", Facts{}, err
	}
	flags, err := options(of, r.Params.Arguments)
	if err != nil {
		return "", Facts{}, err
	}
	if in.Bench != "" {
		if in.Target != "" || len(in.Args) > 0 {
			return "", Facts{}, refuse("leave them out, or leave out bench", "target and args are not for benchmarks")
		}
		args := append([]string{"bench", "--json", spec.Option(of, "vs", base),
			spec.Option(of, "patch", source.StandardInput)}, flags...)
		return s.measureWith(ctx, r, in.Wait, append(args, pkg), in.Patch)
	}
	args := append(append([]string{"compare", "--json"}, flags...), shellwords.Join([]string{base + ":" + pkg}),
		source.StandardInput)
	if len(in.Args) > 0 {
		args = append(append(args, "--"), in.Args...)
	}
	return s.measureWith(ctx, r, in.Wait, args, in.Patch)
}

// checkedOf are the lines of a measurement that say what its patch has passed.
func checkedOf(lines []string) (checked []string) {
	for _, line := range lines {
		if line = strings.TrimPrefix(line, "note: "); strings.HasPrefix(line, "the patch") {
			checked = append(checked, line)
		}
	}
	return checked
}

// nextOfComparison is what to do by the verdict on a change, or a patch; nothing after a run and a search.
func nextOfComparison(f Facts, m *measurement) []string {
	faster := slices.ContainsFunc(f.Verdicts, func(v string) bool { return strings.Contains(v, "B is faster than A") })
	again, change, proof := "compare", "change the code, and compare", "receipt id="+f.ID
	if m.patch {
		again, change = "try_patch with the same patch", "try_patch patch=CHANGED"
	}
	switch {
	case len(f.Verdicts) == 0:
		return nil
	case m.code == int(fail.Undecided):
		return []string{again + " and a larger budget"}
	case m.code != 0 || !faster:
		return []string{change}
	case m.patch:
		return []string{"apply the patch in the working tree: it is faster", proof}
	}
	return []string{proof}
}
