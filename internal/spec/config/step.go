package config

import (
	"bytes"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml/ast"

	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/wire"
)

// Step is one request of a sequence on one connection.
type Step struct {
	Name         Text            `json:"name,omitzero" jsonschema:"What reports call it."`
	Request      Text            `json:"request,omitzero" jsonschema:"Method and path: POST /login. The path alone is GET, or POST with a body. {name} here, in headers and body stands for a value that a step before takes, or for a column of the feed."`
	Headers      []Text          `json:"headers,omitempty" jsonschema:"Header lines, Name: value."`
	Body         Text            `json:"body,omitzero" jsonschema:"The body of the request."`
	Once         Text            `json:"once,omitzero" jsonschema:"true: only when a connection begins, and after a wrong answer; the other steps repeat."`
	Take         map[string]Text `json:"take,omitempty" jsonschema:"Values of the answer, by the name that stands for them: json PATH, header NAME, cookie NAME, regex EXPRESSION with one group, html EXPRESSION (the same, with &amp; and the like decoded), or header NAME ~ EXPRESSION."`
	ExpectStatus Setting         `json:"expect-status,omitzero" jsonschema:"Right statuses, such as 201 or 2xx (default: below 400)."`
	ExpectLength Text            `json:"expect-length,omitzero" jsonschema:"Right length of the body in bytes."`
	ExpectBody   Text            `json:"expect-body,omitzero" jsonschema:"A text that a right body contains."`
	ExpectJSON   Text            `json:"expect-json,omitzero" jsonschema:"What a right JSON body holds: PATH or PATH=VALUE."`

	at Position
}

// stepsFile is a file with a sequence alone.
type stepsFile struct {
	Steps []Step `json:"steps,omitempty"`
}

// Sequence are the steps that the file gives; nil: none.
func (d *Document) Sequence() []wire.Request { return sequence(d.Subject.Steps, &faults{}) }

// ReadSteps reads a file that holds steps alone, in the form of those in hone.yaml. Errors
// are fail.BadInput, a line each with its place.
func ReadSteps(shown string, content []byte) ([]wire.Request, error) {
	f := &faults{shown: shown}
	if len(content) > MaxBytes {
		f.say(Position{1, 1}, "", "the file is larger than %d kB", MaxBytes>>10)
		return nil, f.err()
	}
	content = bytes.TrimPrefix(content, []byte("\ufeff"))
	if f.checkText(content); len(f.list) > 0 {
		return nil, f.err()
	}
	body := f.body(bytes.ReplaceAll(content, []byte("\r\n"), []byte("\n")))
	if len(f.list) > 0 {
		return nil, f.err()
	}
	var file stepsFile
	if body != nil {
		r := &reader{faults: f}
		r.value(body, reflect.ValueOf(&file).Elem(), "the file")
	}
	steps := sequence(file.Steps, f)
	if len(f.list) == 0 && len(steps) == 0 {
		f.say(Position{1, 1}, "write steps: and below it - request: GET /items", "the file has no steps")
	}
	f.checkSequence(file.Steps, steps)
	return steps, f.err()
}

// steps reads a list of steps.
func (r *reader) steps(n ast.Node, path string) (all []Step) {
	list, ok := n.(*ast.SequenceNode)
	if !ok {
		r.say(nodePosition(n, Position{1, 1}), "each step begins with a line - request: GET /items",
			"%s: want a list, found %s", path, kindOf(n))
		return nil
	}
	for _, item := range list.Values {
		var one Step
		r.object(item, reflect.ValueOf(&one).Elem(), "step")
		one.at = nodePosition(item, Position{1, 1})
		all = append(all, one)
	}
	return all
}

// sequence turns steps as written into steps as sent, and says what is wrong with each.
func sequence(steps []Step, f *faults) (all []wire.Request) {
	for _, s := range steps {
		one := wire.Request{Name: s.Name.Value, Headers: values(s.Headers), Expect: wire.Expect{
			Status: values(s.ExpectStatus.Values), Body: s.ExpectBody.Value, JSON: s.ExpectJSON.Value,
		}}
		if s.Body.given() {
			one.Body = []byte(s.Body.Value)
		}
		method, path, both := strings.Cut(strings.TrimSpace(s.Request.Value), " ")
		if one.Path = method; both {
			one.Method, one.Path = strings.ToUpper(method), strings.TrimSpace(path)
		}
		if !strings.HasPrefix(one.Path, "/") {
			at := s.Request.At
			if !s.Request.given() {
				at = s.at
			}
			f.say(at, "write the method and the path: request: GET /items", "step: %s is not a request",
				shortened(s.Request.Value))
		}
		if s.Once.given() {
			once, err := strconv.ParseBool(s.Once.Value)
			if err != nil {
				f.say(s.Once.At, "write true or false", "once: %s is neither true nor false", shortened(s.Once.Value))
			}
			one.Once = once
		}
		if s.ExpectLength.given() {
			n, err := strconv.ParseInt(s.ExpectLength.Value, 10, 64)
			if err != nil || n < 0 {
				f.say(s.ExpectLength.At, "write a number of bytes", "expect-length: %s is not a length",
					shortened(s.ExpectLength.Value))
			}
			one.Expect.Length = &n
		}
		for _, name := range slices.Sorted(maps.Keys(s.Take)) {
			t, err := wire.ParseTake(name, s.Take[name].Value)
			if err != nil {
				f.say(s.Take[name].At, fail.HintOf(err), "%v", err)
			}
			one.Take = append(one.Take, t)
		}
		all = append(all, one)
	}
	return all
}

// checkSequence judges the steps together, as far as that goes without the flags that say
// more: a feed, whose columns may stand in them.
func (f *faults) checkSequence(steps []Step, all []wire.Request) {
	if len(all) == 0 || len(f.list) > 0 {
		return
	}
	repeats := false
	for i, s := range all {
		if s.Once && repeats {
			f.say(steps[i].Once.At, "put it in front of the steps that repeat",
				"step %d is once, and stands after one that repeats", i+1)
		}
		repeats = repeats || !s.Once
	}
	if !repeats {
		f.say(steps[len(steps)-1].at, "leave out once: true of the last step",
			"all steps are once: there would be nothing to send after them")
	}
}
