package mcpserver

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/gohone/hone/internal/store/ledger"
	"github.com/gohone/hone/prof"
)

// limited is how many rows a table has.
type limited struct {
	Limit int `json:"limit,omitempty" jsonschema:"rows of the table, at most 100"`
}

func (l limited) rows(without int) (string, error) {
	if l.Limit == 0 {
		return strconv.Itoa(without), nil
	}
	if l.Limit < 1 || l.Limit > 100 {
		return "", refuse("give 1 to 100", "limit is %d", l.Limit)
	}
	return strconv.Itoa(l.Limit), nil
}

// ofRun are the arguments of tools that read a run.
type ofRun struct {
	Run string `json:"run" jsonschema:"name of the run in the ledger, or the start of it"`
}

// ofProfile are those of tools that read one of its profiles.
type ofProfile struct {
	ofRun
	Kind string `json:"kind,omitempty" jsonschema:"cpu (without), wait, allocs, heap, mutex, block or goroutine"`
	limited
}

// flags are the arguments as flags of hone profile, with the id of the run.
func (s *Server) profileFlags(in ofProfile, without int) (id string, flags []string, err error) {
	found, err := s.stored(in.Run, ledger.KindRun)
	if err != nil {
		return "", nil, err
	}
	rows, err := in.rows(without)
	if err != nil {
		return "", nil, err
	}
	flags = []string{"--nodes=" + rows}
	if in.Kind != "" {
		if err := kind(in.Kind); err != nil {
			return "", nil, err
		}
		flags = append(flags, "--kind="+in.Kind)
	}
	return found.ID, flags, nil
}

// kind checks the name of a kind of profile.
func kind(name string) error {
	known := prof.KindNames()
	if slices.Contains(known, name) {
		return nil
	}
	return unknownName("kind of profile", name, known)
}

type findingsArguments struct {
	ofRun
}

func (s *Server) findings(ctx context.Context, _ *mcp.CallToolRequest, in findingsArguments) (string, Facts, error) {
	found, err := s.stored(in.Run, ledger.KindRun)
	if err != nil {
		return "", Facts{}, err
	}
	text, err := s.Read(ctx, "advise", found.ID)
	return withoutNext(text), Facts{ID: found.ID, Next: []string{"list run=" + found.ID + " function=NAME", "compare package=./PACKAGE (after the change)"}}, err
}

type topArguments struct {
	ofProfile
	Cumulative bool   `json:"cumulative,omitempty" jsonschema:"order by what a function costs with all that it calls"`
	Focus      string `json:"focus,omitempty" jsonschema:"only stacks with a function that matches this regular expression"`
}

func (s *Server) top(ctx context.Context, _ *mcp.CallToolRequest, in topArguments) (string, Facts, error) {
	id, flags, err := s.profileFlags(in.ofProfile, 20)
	if err != nil {
		return "", Facts{}, err
	}
	if in.Cumulative {
		flags = append(flags, "--cum")
	}
	if in.Focus != "" {
		flags = append(flags, "--focus="+in.Focus)
	}
	text, err := s.Read(ctx, append(append([]string{"profile", "top"}, flags...), "--", id)...)
	return text, Facts{ID: id, Next: []string{"list run=" + id + " function=NAME", "findings run=" + id}}, err
}

type listArguments struct {
	ofProfile
	Function string `json:"function" jsonschema:"regular expression of the functions"`
}

func (s *Server) list(ctx context.Context, _ *mcp.CallToolRequest, in listArguments) (string, Facts, error) {
	if in.Function == "" {
		return "", Facts{}, refuse("top lists them", "the function is missing")
	}
	id, flags, err := s.profileFlags(in.ofProfile, 10)
	if err != nil {
		return "", Facts{}, err
	}
	text, err := s.Read(ctx, append(append([]string{"profile", "list"}, flags...), "--", in.Function, id)...)
	if err != nil {
		return "", Facts{}, &nextError{err, []string{"top run=" + id}}
	}
	return text, Facts{ID: id, Next: []string{"top run=" + id + " focus=" + in.Function}}, nil
}

type diffArguments struct {
	A    string `json:"a" jsonschema:"name of the run that is compared with"`
	B    string `json:"b" jsonschema:"name of the other run"`
	Kind string `json:"kind,omitempty" jsonschema:"cpu (without), allocs, wait, mutex or block"`
}

func (s *Server) diff(ctx context.Context, _ *mcp.CallToolRequest, in diffArguments) (string, Facts, error) {
	a, err := s.stored(in.A, ledger.KindRun)
	if err != nil {
		return "", Facts{}, err
	}
	b, err := s.stored(in.B, ledger.KindRun)
	if err != nil {
		return "", Facts{}, err
	}
	args := []string{"profile", "diff"}
	if in.Kind != "" {
		if err := kind(in.Kind); err != nil {
			return "", Facts{}, err
		}
		args = append(args, "--kind="+in.Kind)
	}
	text, err := s.Read(ctx, append(args, "--", a.ID, b.ID)...)
	return withoutNext(text), Facts{ID: b.ID, Next: []string{"list run=" + b.ID + " function=NAME"}}, err
}

type tailArguments struct {
	ofRun
	From string `json:"from,omitempty" jsonschema:"from which percentile requests are slow: p90, p95 or p99 (without)"`
}

func (s *Server) tail(ctx context.Context, _ *mcp.CallToolRequest, in tailArguments) (string, Facts, error) {
	found, err := s.stored(in.Run, ledger.KindRun)
	if err != nil {
		return "", Facts{}, err
	}
	args := []string{"tail", "--quiet"}
	if in.From != "" {
		if err := plain("from", in.From); err != nil {
			return "", Facts{}, err
		}
		args = append(args, "--from="+in.From)
	}
	text, err := s.Read(ctx, append(args, "--", found.ID)...)
	return withoutNext(text), Facts{ID: found.ID, Next: []string{"top run=" + found.ID + " kind=wait", "findings run=" + found.ID}}, err
}

type historyArguments struct {
	Measure string `json:"measure,omitempty" jsonschema:"one measure by commit: cpu, rate, p50, p90, p99, allocs, bytes, rss"`
	Package string `json:"package,omitempty" jsonschema:"only runs of this package: its import path or the end of it"`
	limited
}

func (s *Server) history(ctx context.Context, _ *mcp.CallToolRequest, in historyArguments) (string, Facts, error) {
	rows, err := in.rows(15)
	if err != nil {
		return "", Facts{}, err
	}
	args := []string{"history", "--number=" + rows}
	for flag, value := range map[string]string{"measure": in.Measure, "package": in.Package} {
		if value == "" {
			continue
		}
		if err := plain(flag, value); err != nil {
			return "", Facts{}, err
		}
		args = append(args, "--"+flag+"="+value)
	}
	text, err := s.Read(ctx, args...)
	if strings.TrimSpace(text) == "" {
		return "the ledger has nothing yet", Facts{Next: []string{"run package=./PACKAGE"}}, err
	}
	return text, Facts{Next: []string{"report id=NAME"}}, err
}

type reportArguments struct {
	ID   string `json:"id" jsonschema:"name of a run or a comparison in the ledger, or the start of it"`
	Page bool   `json:"page,omitempty" jsonschema:"also write its page for browsers, one HTML file, and answer with the path"`
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
