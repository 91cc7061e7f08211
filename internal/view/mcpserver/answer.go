package mcpserver

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/printable"
	"github.com/gohone/hone/internal/text/redact"
)

// Facts are the structured part of an answer: what a program decides by, without reading the text.
type Facts struct {
	// Measurement is the name of a measurement of this session, for status.
	Measurement string `json:"measurement,omitempty" jsonschema:"a measurement of this session, for status"`
	// ID is the name of a run or a comparison in the ledger.
	ID string `json:"id,omitempty" jsonschema:"the run or comparison in the ledger"`
	// State is running, or that of the ledger: complete, partial, invalid, interrupted, crashed.
	State string `json:"state,omitempty" jsonschema:"running, complete, partial, invalid, interrupted or crashed"`
	// ExitCode is that of the command, once it has ended; Meaning says it in words.
	ExitCode *int   `json:"exit_code,omitempty" jsonschema:"0 is a pass; 1 regression; 4 invalid; 8 undecided, which is not a pass"`
	Meaning  string `json:"meaning,omitempty"`
	// Trusted says whether the measurement can be trusted; Check says why.
	Trusted *bool    `json:"trusted,omitempty" jsonschema:"whether the measurement can be trusted"`
	Check   []string `json:"check,omitempty"`
	// Checked says what a patch has passed before it was measured, and what of it was not shown.
	Checked []string `json:"checked,omitempty"`
	// Verdicts are sentences with intervals. Gates say which passed. Answers say whether both sides did the same work.
	Verdicts []string `json:"verdicts,omitempty"`
	Gates    []string `json:"gates,omitempty"`
	Answers  []string `json:"answers,omitempty" jsonschema:"whether both sides gave the same answers to the same requests"`
	// Earlier counts the comparisons of the same packages with the same base before this one, Same those of the same
	// builds.
	Earlier int `json:"earlier_comparisons,omitempty"`
	Same    int `json:"earlier_of_same_builds,omitempty"`
	// Steps are the commits that a search found, the largest change first; More is how many there are besides.
	Steps []Step `json:"steps,omitempty" jsonschema:"the commits that a search found, the largest change first"`
	More  int    `json:"more_steps,omitempty"`
	// Shown and Lines say how much of the whole text the answer has.
	Shown int `json:"shown_lines,omitempty"`
	Lines int `json:"lines,omitempty"`
	// Error and Hint are what went wrong, and what to do.
	Error string `json:"error,omitempty"`
	Hint  string `json:"hint,omitempty"`
	// Next are calls that lead on, or what else to do, the best first. No answer is without it.
	Next []string `json:"next"`
}

// textBudget and factBudget bound an answer in bytes: some 1,000 tokens of text, and half as much of facts.
const (
	textBudget = 4000
	factBudget = 2000
)

// reply makes an answer within the budgets. failed says that the call did not do what it was asked for.
func reply(text string, f Facts, failed bool) (*mcp.CallToolResult, any, error) {
	f = printable.Document(f)
	tail := ""
	for _, next := range f.Next {
		tail += "next: " + next + "\n"
	}
	text, f.Shown, f.Lines = cut(strings.TrimRight(text, "\n"), textBudget-len(tail)-100)
	if f.Shown < f.Lines {
		text += fmt.Sprintf("\n(%d of %d lines shown)", f.Shown, f.Lines)
	}
	for _, list := range []*[]string{&f.Check, &f.Checked, &f.Verdicts, &f.Gates, &f.Answers} {
		*list = bounded(*list)
	}
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text + "\n" + tail}}, IsError: failed}, f,
		nil
}

// bounded keeps the beginning of a list of sentences: a quarter of the budget of facts.
func bounded(list []string) (kept []string) {
	room := factBudget / 4
	for i, text := range list {
		if len(text) > room {
			return append(kept, fmt.Sprintf("%d more: in the text, or report", len(list)-i))
		}
		kept, room = append(kept, text), room-len(text)
	}
	return kept
}

// cut keeps the lines that fit into room bytes, the first of them in any case, cut.
func cut(text string, room int) (kept string, shown, lines int) {
	all := strings.Split(text, "\n")
	size := 0
	for shown < len(all) && size+len(all[shown])+1 <= room {
		size += len(all[shown]) + 1
		shown++
	}
	if shown == 0 {
		end := max(0, min(room, len(all[0])))
		for end > 0 && !utf8.RuneStart(all[0][end]) {
			end--
		}
		return all[0][:end], 1, len(all)
	}
	return strings.Join(all[:shown], "\n"), shown, len(all)
}

// failed makes an answer of an error of a tool, which an agent can read and act on.
func failed(err error, tool string) (*mcp.CallToolResult, any, error) {
	code := fail.ExitCode(err)
	f := Facts{Error: redact.Text(err.Error()), Hint: redact.Text(fail.HintOf(err)), ExitCode: &code,
		Meaning: fail.Kind(code).Meaning()}
	var next *nextError
	switch {
	case errors.As(err, &next):
		f.Next = next.calls
	case f.Hint != "":
		f.Next = []string{tool + " again, as the hint says"}
	default:
		f.Next = []string{"history"}
	}
	text := "error: " + printable.Indented(f.Error)
	if f.Hint != "" {
		text += "\nhint: " + printable.Indented(f.Hint)
	}
	f.Error, _, _ = cut(f.Error, factBudget/4)
	f.Hint, _, _ = cut(f.Hint, factBudget/4)
	return reply(text, f, true)
}

// nextError is an error with calls that lead on.
type nextError struct {
	error
	calls []string
}

func (e *nextError) Unwrap() error { return e.error }
