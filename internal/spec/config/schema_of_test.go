package config

import (
	"encoding/json"
	"fmt"
	"reflect"

	"github.com/google/jsonschema-go/jsonschema"
)

// schemaOfTypes returns the JSON schema of hone.yaml, for editors, as indented JSON. It is made
// of the types that the reader goes by, and is a little more lenient: it does not know
// the flags of plans and which names refer to each other.
func schemaOfTypes() ([]byte, error) {
	s, err := jsonschema.For[Document](&jsonschema.ForOptions{TypeSchemas: map[reflect.Type]*jsonschema.Schema{
		reflect.TypeFor[Text]():    textSchema(),
		reflect.TypeFor[Command](): textsSchema(),
		reflect.TypeFor[Setting](): textsSchema(),
	}})
	if err != nil {
		return nil, fmt.Errorf("infer schema: %w", err)
	}
	s.Schema, s.ID, s.Title = "https://json-schema.org/draft/2020-12/schema", SchemaURL, "hone.yaml"
	version := any(Version)
	s.Properties["version"].Const = &version
	notNull(s)
	for _, key := range []string{"plans", "variants", "features"} {
		s.Properties[key].PropertyNames = &jsonschema.Schema{Pattern: name.String()}
	}
	s.Properties["subject"].Properties["needs"].PropertyNames = &jsonschema.Schema{Pattern: needName.String()}
	text, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("write schema: %w", err)
	}
	return append(text, '\n'), nil
}

// textSchema is for what the reader takes as it is written.
func textSchema() *jsonschema.Schema {
	return &jsonschema.Schema{Types: []string{"string", "number", "boolean"}}
}

func textsSchema() *jsonschema.Schema {
	return &jsonschema.Schema{AnyOf: []*jsonschema.Schema{textSchema(), {Type: "array", Items: textSchema()}}}
}

// notNull takes null out of the types: Go's nil slices and maps are not written so.
func notNull(s *jsonschema.Schema) {
	if len(s.Types) == 2 && s.Types[0] == "null" {
		s.Type, s.Types = s.Types[1], nil
	}
	for _, p := range s.Properties {
		notNull(p)
	}
	for _, p := range []*jsonschema.Schema{s.AdditionalProperties, s.Items} {
		if p != nil {
			notNull(p)
		}
	}
}
