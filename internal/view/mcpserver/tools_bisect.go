package mcpserver

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/gohone/hone/internal/spec"
)

type bisectArguments struct {
	Good    string `json:"good" jsonschema:"git ref of the older end: v1.2.0, HEAD~50"`
	Bad     string `json:"bad,omitempty" jsonschema:"git ref of the newer end; HEAD without"`
	Package string `json:"package" jsonschema:"as in compare"`
	startArguments
	// Bench says that benchmarks are measured; its value is that of the option.
	Bench string `json:"bench,omitempty" jsonschema:"as in compare"`
}

func (s *Server) bisect(ctx context.Context, r *mcp.CallToolRequest, in bisectArguments) (string, Facts, error) {
	args, err := s.bisectCommand(ctx, in, r.Params.Arguments)
	if err != nil {
		return "", Facts{}, err
	}
	return s.measure(ctx, r, in.WaitSeconds, args)
}

// bisectCommand is the command line of a search.
func (s *Server) bisectCommand(ctx context.Context, in bisectArguments, arguments json.RawMessage) ([]string, error) {
	ends := []string{in.Good, in.Bad}
	if in.Bad == "" {
		ends[1] = "HEAD"
	}
	for _, end := range ends {
		if _, err := s.commit(ctx, end); err != nil {
			return nil, err
		}
	}
	word, err := s.packageIn(in.Package, in.Bench != "", true)
	if err != nil {
		return nil, err
	}
	flags, err := options(spec.ForBisect, arguments)
	if err != nil {
		return nil, err
	}
	if err := programArgs(in.Args); err != nil {
		return nil, err
	}
	if in.Bench != "" && (len(in.Args) > 0 || notOf(spec.ForBench, spec.ForCompare, arguments) != "") {
		return nil, refuse("leave them out, or leave out bench",
			"target, connections, rate and args are not for benchmarks")
	}
	args := slices.Concat([]string{"bisect", "--json"}, flags, ends, []string{word})
	if len(in.Args) > 0 {
		args = append(append(args, "--"), in.Args...)
	}
	return args, nil
}
