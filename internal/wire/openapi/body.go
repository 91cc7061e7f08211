package openapi

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/gohone/hone/internal/wire"
)

// firstKind is the type of content that is taken: JSON, a form, text, in that order.
func firstKind(content openapi3.Content) string {
	best, rank := "", 0
	for _, kind := range sortedKeys(content) {
		if n := rankOf(kind); n > rank && content[kind] != nil {
			best, rank = kind, n
		}
	}
	return best
}

func rankOf(kind string) int {
	base, _, _ := strings.Cut(strings.ToLower(kind), ";")
	switch base = strings.TrimSpace(base); {
	case strings.ContainsAny(kind, "\r\n"):
		return 0
	case base == "application/json":
		return 5
	case strings.HasSuffix(base, "+json"):
		return 4
	case base == "application/x-www-form-urlencoded":
		return 3
	case base == "text/plain":
		return 2
	case strings.Contains(base, "*"), base == "multipart/form-data":
		return 0
	}
	return 1
}

// body adds the body of an operation, and returns its type.
func (r *reader) body(one *wire.Request, op *openapi3.Operation) (string, error) {
	if op.RequestBody == nil || op.RequestBody.Value == nil {
		return "", nil
	}
	content := op.RequestBody.Value.Content
	if len(content) == 0 || one.Method == "GET" || one.Method == "HEAD" {
		return "", nil
	}
	kind := firstKind(content)
	if kind == "" {
		return "", fmt.Errorf("with a body of type %s, which cannot be made", strings.Join(sortedKeys(content), ", "))
	}
	media := content[kind]
	value, given := exampleOf(media.Example, media.Examples)
	if !given {
		if media.Schema == nil || media.Schema.Value == nil {
			return "", errors.New("with a body that has neither example nor schema")
		}
		if value, given = ownExample(media.Schema.Value); !given {
			r.invent++
			if value, given = r.make(media.Schema.Value, 0); !given {
				return "", errors.New("with a body whose schema is too deep, or allows no value that can be made")
			}
			if own, isObject := value.(map[string]any); isObject {
				inherited(own, media.Schema.Value, media.Schema.Ref)
			}
			r.check("body", media.Schema, value)
		}
	}
	text, isText := value.(string)
	switch rank := rankOf(kind); {
	case rank >= 4:
		b, err := json.Marshal(value)
		if err != nil {
			return "", errors.New("with an example that is not JSON")
		}
		one.Body = b
	case rank == 3:
		fields, ok := value.(map[string]any)
		if !ok {
			return "", errors.New("with a form that is not an object")
		}
		form := url.Values{}
		for _, key := range sortedKeys(fields) {
			if list, ok := fields[key].([]any); ok {
				for _, item := range list {
					form.Add(key, plain(item))
				}
				continue
			}
			form.Set(key, plain(fields[key]))
		}
		one.Body = []byte(form.Encode())
	case isText:
		one.Body = []byte(text)
	default:
		return "", fmt.Errorf("with a body of type %s, which has no example as text", kind)
	}
	return kind, nil
}

// plain writes a value as text: what is not text as JSON.
func plain(value any) string {
	if text, ok := value.(string); ok {
		return text
	}
	b, err := json.Marshal(value)
	if err != nil {
		return ""
	}
	return string(b)
}

// security notes what an operation needs and the file cannot say. An empty requirement
// allows requests without.
func (r *reader) security(op *openapi3.Operation) {
	needs := r.doc.Security
	if op.Security != nil {
		needs = *op.Security
	}
	if len(needs) == 0 || r.doc.Components == nil {
		return
	}
	for _, alternative := range needs {
		if len(alternative) == 0 {
			return
		}
	}
	for _, name := range sortedKeys(needs[0]) {
		ref := r.doc.Components.SecuritySchemes[name]
		if ref == nil || ref.Value == nil {
			r.headers[fmt.Sprintf("the security scheme %s, which is not described", name)]++
			continue
		}
		s := ref.Value
		what := fmt.Sprintf("the header Authorization (%s): give it by -H 'Authorization: Bearer ...'", name)
		switch {
		case s.Type == "apiKey" && s.In == "header":
			what = fmt.Sprintf("the header %s (%s): give it by -H '%s: ...'", s.Name, name, s.Name)
		case s.Type == "apiKey" && s.In == "cookie":
			what = fmt.Sprintf("the cookie %s (%s): give it by -H 'Cookie: %s=...'", s.Name, name, s.Name)
		case s.Type == "apiKey":
			what = fmt.Sprintf("the parameter %s in the query (%s), which hone cannot add", s.Name, name)
		case s.Type == "http" && strings.EqualFold(s.Scheme, "basic"):
			what = fmt.Sprintf("the header Authorization (%s): give it by -H 'Authorization: Basic ...'", name)
		case s.Type == "mutualTLS":
			what = fmt.Sprintf("a certificate of the client (%s)", name)
		}
		r.headers[what]++
	}
}
