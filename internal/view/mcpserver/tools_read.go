package mcpserver

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/store/ledger"
)

// ofRun are the arguments of tools that read a run.
type ofRun struct {
	Run string `json:"run" jsonschema:"name of the run in the ledger, or the start of it"`
}

func (s *Server) findings(ctx context.Context, _ *mcp.CallToolRequest, in ofRun) (string, Facts, error) {
	found, err := s.stored(in.Run, ledger.KindRun)
	if err != nil {
		return "", Facts{}, err
	}
	text, err := s.Read(ctx, "advise", found.ID)
	return withoutNext(text), Facts{ID: found.ID, Next: []string{"list run=" + found.ID + " function=NAME",
		"try_patch package=./PACKAGE patch=CHANGE", "compare package=./PACKAGE (after the change)"}}, err
}

// ofProfile is what a view shows of a profile of a run, by the run's whole id. words stand before it.
func (s *Server) ofProfile(ctx context.Context, r *mcp.CallToolRequest, in ofRun, of spec.Commands, view string,
	words ...string) (id, text string, err error) {
	found, err := s.stored(in.Run, ledger.KindRun)
	if err != nil {
		return "", "", err
	}
	text, err = s.read(ctx, r, of, []string{"profile", view}, append(words, found.ID)...)
	return found.ID, text, err
}

// read executes a command that reads, with the options that an agent gave it, and words that are none.
func (s *Server) read(ctx context.Context, r *mcp.CallToolRequest, of spec.Commands, command []string,
	words ...string) (string, error) {
	flags, err := options(of, r.Params.Arguments)
	if err != nil {
		return "", err
	}
	return s.Read(ctx, slices.Concat(command, flags, []string{"--"}, words)...)
}

func (s *Server) top(ctx context.Context, r *mcp.CallToolRequest, in ofRun) (string, Facts, error) {
	id, text, err := s.ofProfile(ctx, r, in, spec.ForTop, "top")
	return text, Facts{ID: id, Next: []string{"list run=" + id + " function=NAME", "findings run=" + id}}, err
}

type listArguments struct {
	ofRun
	Function string `json:"function" jsonschema:"regular expression of the functions"`
}

func (s *Server) list(ctx context.Context, r *mcp.CallToolRequest, in listArguments) (string, Facts, error) {
	if in.Function == "" {
		return "", Facts{}, refuse("top lists them", "the function is missing")
	}
	id, text, err := s.ofProfile(ctx, r, in.ofRun, spec.ForList, "list", in.Function)
	if err != nil && id != "" {
		return "", Facts{}, &nextError{err, []string{"top run=" + id}}
	}
	return text, Facts{ID: id, Next: []string{"top run=" + id + " focus=" + in.Function}}, err
}

type diffArguments struct {
	A string `json:"a" jsonschema:"name of a run"`
	B string `json:"b" jsonschema:"name of the run after it"`
}

func (s *Server) diff(ctx context.Context, r *mcp.CallToolRequest, in diffArguments) (string, Facts, error) {
	a, err := s.stored(in.A, ledger.KindRun)
	if err != nil {
		return "", Facts{}, err
	}
	b, err := s.stored(in.B, ledger.KindRun)
	if err != nil {
		return "", Facts{}, err
	}
	text, err := s.read(ctx, r, spec.ForDiff, []string{"profile", "diff"}, a.ID, b.ID)
	return withoutNext(text), Facts{ID: b.ID, Next: []string{"list run=" + b.ID + " function=NAME"}}, err
}

func (s *Server) tail(ctx context.Context, r *mcp.CallToolRequest, in ofRun) (string, Facts, error) {
	found, err := s.stored(in.Run, ledger.KindRun)
	if err != nil {
		return "", Facts{}, err
	}
	text, err := s.read(ctx, r, spec.ForTail, []string{"tail", "--quiet"}, found.ID)
	return withoutNext(text), Facts{ID: found.ID, Next: []string{"top run=" + found.ID + " kind=wait",
		"findings run=" + found.ID}}, err
}

func (s *Server) history(ctx context.Context, r *mcp.CallToolRequest, _ struct{}) (string, Facts, error) {
	text, err := s.read(ctx, r, spec.ForHistory, []string{"history"})
	if strings.TrimSpace(text) == "" {
		return "the ledger has nothing yet", Facts{Next: []string{"run package=./PACKAGE"}}, err
	}
	return text, Facts{Next: []string{"report id=NAME"}}, err
}

type reportArguments struct {
	ID   string `json:"id" jsonschema:"name of a run or a comparison"`
	Page bool   `json:"page,omitempty" jsonschema:"also write its page for browsers, one HTML file"`
}

func (s *Server) report(ctx context.Context, _ *mcp.CallToolRequest, in reportArguments) (string, Facts, error) {
	found, err := s.stored(in.ID, "")
	if err != nil {
		return "", Facts{}, err
	}
	f := Facts{}
	text, err := s.describe(found.ID, &f)
	if err != nil {
		return "", f, err
	}
	if in.Page {
		path, err := s.Read(ctx, "report", found.ID)
		if err != nil {
			return "", f, err
		}
		text = fmt.Sprintf("page: %s\n%s", strings.TrimSpace(path), text)
	}
	return text, f, nil
}
