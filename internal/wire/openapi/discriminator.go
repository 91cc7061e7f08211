package openapi

import (
	"path"

	"github.com/getkin/kin-openapi/openapi3"
)

// named gives an object the name by which a discriminator knows its schema: that of the mapping, else the schema's own
// (OpenAPI 3.0.3, Discriminator Object).
func named(own map[string]any, d *openapi3.Discriminator, ref string) {
	if d == nil || d.PropertyName == "" {
		return
	}
	names := sortedKeys(d.Mapping)
	for _, name := range names {
		if to := d.Mapping[name].Ref; ref != "" && (to == ref || path.Base(ref) == to) {
			own[d.PropertyName] = name
			return
		}
	}
	switch {
	case ref != "":
		own[d.PropertyName] = path.Base(ref)
	case len(names) > 0: // the schema that has the discriminator, by itself
		own[d.PropertyName] = names[0]
	}
}

// inherited names an object by the discriminators of the schemas that its own adds up.
func inherited(own map[string]any, s *openapi3.Schema, ref string) {
	for _, part := range s.AllOf {
		if part != nil && part.Value != nil && part.Value.Discriminator != nil && ref != "" {
			named(own, part.Value.Discriminator, ref)
		}
	}
}
