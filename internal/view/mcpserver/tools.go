package mcpserver

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/text/fail"
)

// addTools adds all tools. There are few: each costs the agent room before it has asked for anything.
func (s *Server) addTools() {
	add(s, "run", "Build, start, load and profile a package: cost per request, latency, findings. Port and protocol "+
		"come from the program.", false, s.run, spec.ForRun)
	add(s, "compare",
		"Is B, the working tree, faster than A, the last commit? Loads both in turns, and decides with an interval. "+
			"With bench it compares benchmarks of go test.", false, s.compare,
		spec.ForCompare, spec.ForBench)
	add(s, "try_patch", "Is base faster with this patch? Nothing is applied here. Tests run first: one that breaks ends "+
		"it, and so does a patch of tests, go.mod and the like. Arguments as for compare.", false, s.tryPatch)
	add(s, "bisect", "Find the commit between good and bad that made a service, or a benchmark, slower or faster. It "+
		"takes minutes.", false, s.bisect, spec.ForBisect)
	add(s, "reach", "Which benchmarks and tests execute what the working tree changed against base. Of a service, "+
		"compare says it.", false, s.reach)
	add(s, "status", "State of a measurement under way; waits for its end, or stops it. Answers "+
		"with the result once there is one.", false, s.status)
	add(s, "findings",
		"What to change in a run: costly lines of the code, with evidence and what removing it may save.", true,
		s.findings)
	add(s, "top", "The functions of a run's profile by their cost.", true, s.top, spec.ForTop)
	add(s, "list", "Source lines of functions, with the cost of each.", true, s.list, spec.ForList)
	add(s, "diff", "What changed between two runs, function by function, per request and beyond the noise.", true,
		s.diff, spec.ForDiff)
	add(s, "tail", "What typical and slow requests of a run wait for: locks, queues, backends, the collector.", true,
		s.tail, spec.ForTail)
	add(s, "history", "Runs and comparisons of the ledger, or one measure by commit with its change points.", true,
		s.history, spec.ForHistory)
	add(s, "report", "All that is known of a run or a comparison.", false,
		s.report)
	add(s, "receipt", "The receipt of a comparison: a file by which others measure it again.", false, s.receipt)
}

// add adds a tool whose arguments are In, and what an agent may set of some commands. Its schema is made from In's
// fields, their jsonschema tags, and the table of options. Answers are Facts; their schema is left out: with each tool
// it would cost an agent more than all descriptions.
func add[In any](s *Server, name, what string, reads bool,
	call func(context.Context, *mcp.CallToolRequest, In) (string, Facts, error), of ...spec.Commands) {
	no := false
	hints := &mcp.ToolAnnotations{ReadOnlyHint: reads, OpenWorldHint: &no}
	if !reads {
		hints.DestructiveHint = &no // of tools that read it means nothing
	}
	tool := &mcp.Tool{Name: name, Description: what, Annotations: hints}
	schema, err := jsonschema.For[In](nil)
	if err != nil {
		panic(err) // of a type of this package
	}
	addOptions(schema, of)
	schema.AdditionalProperties = nil // suggest refuses others, and names the nearest
	s.sayOnce(name, schema)
	tool.InputSchema = schema
	s.tools = append(s.tools, tool)
	mcp.AddTool(s.mcp, tool, func(ctx context.Context, r *mcp.CallToolRequest, in In) (*mcp.CallToolResult, any,
		error) {
		text, facts, err := call(ctx, r, in)
		if err != nil {
			return failed(err, name)
		}
		return reply(text, facts, facts.Error != "")
	})
}

// longDescription is how many bytes a description has that stands once only: "as for compare" has half as many.
const longDescription = 40

// sayOnce leaves out long descriptions of arguments that an earlier tool has, and names that tool.
func (s *Server) sayOnce(tool string, schema *jsonschema.Schema) {
	if s.described == nil {
		s.described = map[string]string{}
	}
	for name, p := range schema.Properties {
		key := name + ": " + p.Description
		switch by, said := s.described[key]; {
		case said:
			p.Description = "as for " + by
		case len(p.Description) > longDescription:
			s.described[key] = tool
		}
	}
}

// Tools are those that the server offers.
func (s *Server) Tools() []*mcp.Tool { return s.tools }

// suggest answers calls of unknown tools, and calls with unknown arguments, with the nearest known name. Calls that
// are not of the schema get the same kind of answer.
func (s *Server) suggest(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, r mcp.Request) (mcp.Result, error) {
		call, ok := r.GetParams().(*mcp.CallToolParamsRaw)
		if method != "tools/call" || !ok {
			return next(ctx, method, r)
		}
		if err := s.known(call); err != nil {
			result, facts, _ := failed(err, "call the tool")
			result.StructuredContent = facts
			return result, nil
		}
		answer, err := next(ctx, method, r)
		if result, ok := answer.(*mcp.CallToolResult); ok && result.IsError && result.StructuredContent == nil {
			said := fail.New(fail.BadInput, "%w", result.GetError()).WithHint("the schema of the tool says what it takes")
			wrong, facts, _ := failed(said, call.Name)
			wrong.StructuredContent = facts
			return wrong, nil
		}
		return answer, err
	}
}

// known checks the names of a tool and of its arguments.
func (s *Server) known(call *mcp.CallToolParamsRaw) error {
	var names []string
	for _, t := range s.tools {
		names = append(names, t.Name)
	}
	i := slices.Index(names, call.Name)
	if i < 0 {
		return unknownName("tool", call.Name, names)
	}
	var given map[string]json.RawMessage
	if json.Unmarshal(call.Arguments, &given) != nil {
		return nil // the schema says what is wrong
	}
	schema := s.tools[i].InputSchema.(*jsonschema.Schema)
	var fields []string
	for field := range schema.Properties {
		fields = append(fields, field)
	}
	slices.Sort(fields)
	for name := range given {
		if !slices.Contains(fields, name) {
			return unknownName("argument of "+call.Name, name, fields)
		}
	}
	return nil
}

func unknownName(what, name string, names []string) error {
	if len(name) > 100 {
		name = name[:100]
	}
	err := fail.New(fail.BadInput, "there is no %s %q", what, name)
	if near := fail.Nearest(name, names); near != "" {
		return err.WithHint("did you mean %q?", near)
	}
	return err.WithHint("there are %s", strings.Join(names, ", "))
}
