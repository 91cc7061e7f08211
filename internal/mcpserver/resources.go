package mcpserver

import (
	"context"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/gohone/hone/internal/ledger"
)

// addResources adds the documents of runs and comparisons, as hone show --json prints them.
func (s *Server) addResources() {
	for _, kind := range []ledger.Kind{ledger.KindRun, ledger.KindComparison} {
		s.mcp.AddResourceTemplate(&mcp.ResourceTemplate{
			URITemplate: "hone://" + string(kind) + "/{id}", Name: string(kind), MIMEType: "application/json",
			Description: "the document of a " + string(kind) + " of the ledger, as hone show --json prints it",
		}, func(ctx context.Context, r *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
			id := strings.TrimPrefix(r.Params.URI, "hone://"+string(kind)+"/")
			found, err := s.stored(id, kind)
			if err != nil {
				return nil, mcp.ResourceNotFoundError(r.Params.URI)
			}
			text, err := s.Read(ctx, "show", "--json", found.ID)
			if err != nil {
				return nil, err
			}
			return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: r.Params.URI, MIMEType: "application/json", Text: text}}}, nil
		})
	}
}
