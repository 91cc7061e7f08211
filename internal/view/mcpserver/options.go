package mcpserver

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/spf13/pflag"

	"github.com/gohone/hone/internal/spec"
	"github.com/gohone/hone/internal/text/fail"
)

// addOptions adds to a schema what an agent may set of some commands, from hone's table of options.
func addOptions(schema *jsonschema.Schema, commands []spec.Commands) {
	if schema.Properties == nil {
		schema.Properties = map[string]*jsonschema.Schema{}
	}
	for _, c := range commands {
		_, flags := spec.OfAgents(c)
		for _, f := range flags {
			if schema.Properties[f.Name] == nil {
				schema.Properties[f.Name] = propertyOf(f)
				schema.PropertyOrder = append(schema.PropertyOrder, f.Name)
			}
		}
	}
}

// propertyOf is an option as JSON: the first line of its help, and its default.
func propertyOf(f *pflag.Flag) *jsonschema.Schema {
	_, help := pflag.UnquoteUsage(f)
	help, _, _ = strings.Cut(help, "\n")
	if !slices.Contains(spec.NoDefault, f.DefValue) {
		help += " (default " + f.DefValue + ")"
	}
	p := &jsonschema.Schema{Description: help}
	switch kind := f.Value.Type(); {
	case kind == "bool":
		p.Type = "boolean"
	case kind == "int" || kind == "uint64":
		p.Type = "integer"
	case kind == "float64":
		p.Type = "number"
	case strings.HasSuffix(kind, "Array") || strings.HasSuffix(kind, "Slice"):
		p.Type, p.Items = "array", &jsonschema.Schema{Type: "string"}
	default:
		p.Type = "string"
	}
	return p
}

// options are what an agent gave of a command's options, as words of hone's command line in the order of the table.
// What it may not be is an error.
func options(c spec.Commands, arguments json.RawMessage) (words []string, err error) {
	given, err := valuesOf(arguments)
	if err != nil {
		return nil, err
	}
	set, flags := spec.OfAgents(c)
	for _, f := range flags {
		for _, value := range given[f.Name] {
			err := plain(f.Name, value)
			if err == nil && f.Name == "target" {
				err = target(value)
			}
			if err != nil {
				return nil, err
			}
		}
		some, err := set.ByAgent(f.Name, given[f.Name]...)
		if err != nil {
			return nil, refuse("the schema of the tool says what it may be", "%w", err)
		}
		words = append(words, some...)
	}
	return words, nil
}

// notOf names an option that was given and is of another command; empty: none.
func notOf(c spec.Commands, other spec.Commands, arguments json.RawMessage) string {
	given, _ := valuesOf(arguments)
	set, _ := spec.OfAgents(c)
	_, flags := spec.OfAgents(other)
	for _, f := range flags {
		if _, has := set.Row(f.Name); !has && given[f.Name] != nil {
			return f.Name
		}
	}
	return ""
}

// valuesOf are arguments as text: several of a list.
func valuesOf(arguments json.RawMessage) (map[string][]string, error) {
	var given map[string]any
	decoder := json.NewDecoder(strings.NewReader(string(arguments)))
	decoder.UseNumber() // as it was written
	if err := decoder.Decode(&given); err != nil && len(arguments) > 0 {
		return nil, fail.New(fail.BadInput, "read the arguments: %w", err)
	}
	values := map[string][]string{}
	for name, value := range given {
		list, isList := value.([]any)
		if !isList {
			list = []any{value}
		}
		for _, one := range list {
			values[name] = append(values[name], fmt.Sprint(one))
		}
	}
	return values, nil
}
