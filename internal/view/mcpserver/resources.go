package mcpserver

import (
	"context"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/internal/text/printable"
)

// listed is how many runs and comparisons the list of resources has.
const listed = 10

// listNewest answers resources/list with the newest runs and comparisons.
func (s *Server) listNewest(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, r mcp.Request) (mcp.Result, error) {
		if method != "resources/list" {
			return next(ctx, method, r)
		}
		list := &mcp.ListResourcesResult{Resources: []*mcp.Resource{}}
		l, closer, err := s.Library()
		if err != nil {
			return list, nil // there is no ledger yet
		}
		defer closer.Close()
		add := func(kind ledger.Kind, id, title string) {
			list.Resources = append(list.Resources, &mcp.Resource{
				URI: "hone://" + string(kind) + "/" + id, Name: string(kind) + " " + id, Title: title,
				MIMEType: "application/json",
			})
		}
		comparisons, err := l.Stored.Ledger.Comparisons(listed)
		if err != nil {
			return nil, err
		}
		for _, c := range comparisons {
			add(ledger.KindComparison, c.ID, printable.Line(c.Sentence))
		}
		runs, err := l.Stored.Ledger.Runs(ledger.RunFilter{Limit: listed, NoDoc: true})
		if err != nil {
			return nil, err
		}
		for _, one := range runs {
			add(ledger.KindRun, one.ID, printable.Line(one.Label))
		}
		return list, nil
	}
}

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
			return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: r.Params.URI,
				MIMEType: "application/json", Text: text}}}, nil
		})
	}
}
