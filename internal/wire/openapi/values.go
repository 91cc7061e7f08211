package openapi

import (
	"math"
	"regexp"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
)

const (
	// maxDepth bounds how deep schemas go that refer to themselves.
	maxDepth = 12
	// maxMade bounds the items of an array and the length of a text that are made.
	maxMade = 1000
	// maxValues bounds the values of one operation: schemas that refer to each other, and
	// arrays of arrays, would else have no end.
	maxValues = 10_000
)

// exampleOf is the example of a parameter or a body: example, or the first of examples by
// name.
func exampleOf(one any, several openapi3.Examples) (value any, ok bool) {
	if one != nil {
		return one, true
	}
	for _, name := range sortedKeys(several) {
		if e := several[name]; e != nil && e.Value != nil && e.Value.Value != nil {
			return e.Value.Value, true
		}
	}
	return nil, false
}

// ownExample is what a schema itself gives: example, examples, const, default, enum.
func ownExample(s *openapi3.Schema) (value any, ok bool) {
	switch {
	case s.Example != nil:
		return s.Example, true
	case len(s.Examples) > 0 && s.Examples[0] != nil:
		return s.Examples[0], true
	case s.Const != nil:
		return s.Const, true
	case s.Default != nil:
		return s.Default, true
	}
	for _, v := range s.Enum {
		if v != nil {
			return v, true
		}
	}
	return nil, false
}

// make makes a value that a schema allows, the same each time. It is not ok if the schema
// refers to itself too deeply.
func (r *reader) make(s *openapi3.Schema, depth int) (value any, ok bool) {
	if r.values++; depth > maxDepth || r.values > maxValues {
		return nil, false
	}
	if value, ok := ownExample(s); ok {
		return value, true
	}
	for _, ref := range append(append(openapi3.SchemaRefs{}, s.OneOf...), s.AnyOf...) {
		if ref == nil || ref.Value == nil {
			continue
		}
		value, ok := r.make(ref.Value, depth+1)
		own, isObject := value.(map[string]any)
		if isObject {
			named(own, s.Discriminator, ref.Ref)
			inherited(own, ref.Value, ref.Ref)
		}
		if ok && isObject && len(s.Properties) > 0 {
			return r.object(s, own, depth)
		}
		if ok && value != nil {
			return value, true
		}
	}
	switch kindOf(s) {
	case "object":
		return r.object(s, map[string]any{}, depth)
	case "array":
		return r.array(s, depth)
	case "integer", "number":
		return number(s), true
	case "boolean":
		return true, true
	case "null":
		return nil, true
	case "all":
		return r.allOf(s, depth)
	}
	return text(s), true
}

// kindOf is the type of a schema, or what its other keys say of it.
func kindOf(s *openapi3.Schema) string {
	for _, t := range s.Type.Slice() {
		if t != "null" {
			if t == "object" || len(s.AllOf) == 0 {
				return t
			}
		}
	}
	switch {
	case len(s.Properties) > 0:
		return "object"
	case len(s.AllOf) > 0:
		return "all"
	case s.Items != nil:
		return "array"
	case len(s.Type.Slice()) > 0:
		return "null"
	}
	return "string"
}

// object adds the required properties of s to own, and those of all schemas that s adds up.
func (r *reader) object(s *openapi3.Schema, own map[string]any, depth int) (any, bool) {
	for _, ref := range s.AllOf {
		if ref == nil || ref.Value == nil {
			continue
		}
		part, ok := r.make(ref.Value, depth+1)
		if !ok {
			return nil, false
		}
		if fields, isObject := part.(map[string]any); isObject {
			for key, value := range fields {
				own[key] = value
			}
		}
	}
	for _, name := range s.Required {
		ref := s.Properties[name]
		if ref == nil || ref.Value == nil {
			if _, there := own[name]; !there {
				own[name] = "text"
			}
			continue
		}
		if ref.Value.ReadOnly {
			continue // OpenAPI 3.0.3, Schema Object: it is not sent in requests
		}
		value, ok := r.make(ref.Value, depth+1)
		if !ok {
			return nil, false
		}
		if fields, isObject := value.(map[string]any); isObject {
			inherited(fields, ref.Value, ref.Ref)
		}
		own[name] = value
	}
	if len(s.OneOf)+len(s.AnyOf) == 0 {
		named(own, s.Discriminator, "")
	}
	return own, true
}

// allOf is a value for schemas of which none is known to be an object.
func (r *reader) allOf(s *openapi3.Schema, depth int) (any, bool) {
	value, ok := r.object(s, map[string]any{}, depth)
	if fields, isObject := value.(map[string]any); !ok || isObject && len(fields) > 0 {
		return value, ok
	}
	for _, ref := range s.AllOf {
		if ref != nil && ref.Value != nil {
			return r.make(ref.Value, depth+1)
		}
	}
	return text(s), true
}

func (r *reader) array(s *openapi3.Schema, depth int) (any, bool) {
	n := min(max(s.MinItems, 1), maxMade)
	if s.MaxItems != nil {
		n = min(n, *s.MaxItems)
	}
	all := make([]any, 0, n)
	if s.Items == nil || s.Items.Value == nil {
		return all, s.MinItems == 0
	}
	for range n {
		value, ok := r.make(s.Items.Value, depth+1)
		if !ok {
			return all, s.MinItems == 0 // a tree ends here
		}
		if fields, isObject := value.(map[string]any); isObject {
			inherited(fields, s.Items.Value, s.Items.Ref)
		}
		all = append(all, value)
	}
	return all, true
}

// number is the least number from 1 on that the bounds of s allow, or the greatest below.
func number(s *openapi3.Schema) any {
	whole := s.Type.Includes("integer")
	step := 1.0
	if s.MultipleOf != nil && *s.MultipleOf > 0 {
		step = *s.MultipleOf
	}
	least, most := math.Inf(-1), math.Inf(1)
	if s.Min != nil {
		least = *s.Min
		if b := s.ExclusiveMin.Bool; b != nil && *b {
			least = above(least, whole)
		}
	}
	if v := s.ExclusiveMin.Value; v != nil {
		least = max(least, above(*v, whole))
	}
	if s.Max != nil {
		most = *s.Max
		if b := s.ExclusiveMax.Bool; b != nil && *b {
			most = -above(-most, whole)
		}
	}
	if v := s.ExclusiveMax.Value; v != nil {
		most = min(most, -above(-*v, whole))
	}
	n := min(max(1, least), most)
	if stepped := math.Ceil(n/step) * step; stepped <= most {
		n = stepped
	} else {
		n = math.Floor(most/step) * step
	}
	if whole && math.Abs(n) < 1<<53 {
		return int64(math.Ceil(n))
	}
	return n
}

// above is a number over n.
func above(n float64, whole bool) float64 {
	if whole {
		return math.Floor(n) + 1
	}
	return n + 0.5
}

// formats are values by format: OpenAPI 3.0.3 "Data Types" and JSON Schema 2020-12.
var formats = map[string]string{
	"date-time": "2026-01-31T12:00:00Z", "date": "2026-01-31", "time": "12:00:00Z", "duration": "PT1H",
	"uuid": "00000000-0000-4000-8000-000000000001", "email": "user@example.com", "idn-email": "user@example.com",
	"uri": "https://example.com/", "url": "https://example.com/", "uri-reference": "/", "iri": "https://example.com/",
	"hostname": "example.com", "idn-hostname": "example.com", "ipv4": "192.0.2.1", "ipv6": "2001:db8::1",
	"byte": "aG9uZQ==", "password": "password", "json-pointer": "/a", "regex": ".*",
}

// text is a text of the format, the pattern and the length of s.
func text(s *openapi3.Schema) string {
	value, known := formats[s.Format]
	if s.Pattern != "" {
		most := maxMade
		if s.MaxLength != nil {
			most = int(min(*s.MaxLength, maxMade))
		}
		if right, err := regexp.Compile(s.Pattern); err == nil && known && right.MatchString(value) {
			return value
		}
		if made, ok := matching(s.Pattern, int(min(s.MinLength, maxMade)), most); ok {
			return made
		}
	}
	if known {
		return value
	}
	value = "text"
	if short := int(min(s.MinLength, maxMade)); len(value) < short {
		value += strings.Repeat("x", short-len(value))
	}
	if s.MaxLength != nil && uint64(len(value)) > *s.MaxLength {
		value = value[:*s.MaxLength]
	}
	return value
}
