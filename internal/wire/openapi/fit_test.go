package openapi

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestTextsThatPatternsMatch(t *testing.T) {
	for _, c := range []struct {
		pattern     string
		least, most int
	}{
		{"^AC[0-9a-f]{32}$", 34, 34}, {`^\d{3}-\d{4}$`, 0, 100}, {"^[A-Z]{2}$", 2, 2}, {"[a-z]+", 12, 20},
		{"^(foo|bar)+$", 6, 9},
		{"^x?y*z+$", 7, 8}, {"^[^a-z0-9]{3}$", 3, 3}, {`^\/a\/b$`, 0, 100}, {`^[\w.+-]+@[\w-]+\.[a-z]{2,}$`, 20, 40},
		{"^a", 5, 5},
		{`^\u0041{2}$`, 2, 2}, {"", 3, 3}, {"^(a|bb|ccc)$", 3, 3}, {"^[0-9]{1,3}(\\.[0-9]{1,3}){3}$", 0, 15},
		{`^\p{Lu}[\p{L} ]*$`, 1, 9},
		{"^[\u00e9]$", 1, 1}, {"z$", 4, 100}, {`\bword\b`, 0, 100}, {"^#[0-9A-Fa-f]{6}$", 7, 7}, {"^.{8}$", 0, 8},
	} {
		got, ok := matching(c.pattern, c.least, c.most)
		n := utf8.RuneCountInString(got)
		if !ok || !regexp.MustCompile(ecma.ReplaceAllString(c.pattern, `\x{$1}`)).MatchString(got) || n < c.least ||
			n > c.most {
			if c.pattern != "z$" { // what stands in front is not made
				t.Errorf("%s (%d to %d): %q, %v", c.pattern, c.least, c.most, got, ok)
			}
		}
	}
	for _, pattern := range []string{"^(?!x)y", "(", "^(a{1000}){1000}$", "^$a"} {
		if got, ok := matching(pattern, 0, 100); ok {
			t.Errorf("%s: %q", pattern, got)
		}
	}
}

const head = "openapi: 3.0.3\ninfo: {title: t, version: \"1\"}\n"

func TestServersAreResolved(t *testing.T) {
	for servers, want := range map[string]string{
		"[{url: //api.example/v2}]":        "/v2/pet",
		"[{url: https://api.example/v2/}]": "/v2/pet",
		"[{url: /v2}]":                     "/v2/pet",
		"[{url: v2}]":                      "/v2/pet",
		"[{url: ./v2/../v3}]":              "/v3/pet",
		"[{url: .}]":                       "/pet",
		"[{url: //api.example}]":           "/pet",
		"[{url: 'https://{host}/{base}', variables: {host: {default: h}, base: {default: v4}}}]": "/v4/pet",
		"[{url: '//h/{base}', variables: {base: {enum: [v5], default: v5}}}]":                    "/v5/pet",
		"[]": "/pet",
	} {
		l, err := Requests("x.yaml", []byte(head+"servers: "+servers+
			"\npaths: {/pet: {get: {responses: {\"200\": {description: ok}}}}}\n"), Options{})
		if err != nil || l.Requests[0].Path != want {
			t.Errorf("%s: %+v, %v, want %s", servers, l, err, want)
		}
	}
}

// A value that is made fits its schema, or a note names the operation, the parameter and what is wrong.
func TestValuesFit(t *testing.T) {
	for schema, want := range map[string]string{
		`{type: string, minLength: 34, maxLength: 34, pattern: "^AC[0-9a-f]{32}$"}`: "/a/ACaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
		`{type: string, pattern: "^(?!x)[0-9]+$"}`:                                  "note",
		`{type: integer, minimum: 10, multipleOf: 7}`:                               "/a/14",
		`{type: string, format: uuid}`:                                              "/a/00000000-0000-4000-8000-000000000001",
		`{type: string, enum: [b, c]}`:                                              "/a/b",
		`{type: string, format: date, pattern: "^\\d{4}-\\d{2}-\\d{2}$"}`:           "/a/2026-01-31",
		`{type: string, minLength: 6}`:                                              "/a/textxx",
		`{type: string, maxLength: 2}`:                                              "/a/te",
		`{type: number, minimum: 3, exclusiveMinimum: true, maximum: 3.2}`:          "note",
	} {
		l, err := Requests("x.yaml",
			[]byte(head+"paths: {\"/a/{id}\": {get: {parameters: [{name: id, in: path, required: true, schema: "+schema+
				"}], responses: {\"200\": {description: ok}}}}}\n"), Options{})
		if err != nil {
			t.Errorf("%s: %v", schema, err)
			continue
		}
		notes := strings.Join(l.Notes, "\n")
		noted := strings.Contains(notes, "GET /a/{id}: parameter id: the value that was made does not fit")
		if want == "note" && !noted || want != "note" && (noted || l.Requests[0].Path != want) {
			t.Errorf("%s: %s, notes %s, want %s", schema, l.Requests[0].Path, notes, want)
		}
	}
}

func TestDiscriminators(t *testing.T) {
	const schemas = `
components:
  schemas:
    Cat: {type: object, required: [kind, lives], properties: {kind: {type: string}, lives: {type: integer}}}
    Dog: {type: object, required: [kind, tricks], properties: {kind: {type: string}, tricks: {type: integer}}}
    Pet: {type: object, required: [kind], properties: {kind: {type: string}}, discriminator: {propertyName: kind, mapping: {lizard: '#/components/schemas/Lizard'}}}
    Lizard: {allOf: [{$ref: '#/components/schemas/Pet'}, {type: object, required: [legs], properties: {legs: {type: integer}}}]}
    Snake: {allOf: [{$ref: '#/components/schemas/Pet'}]}
`
	const both = "oneOf: [{$ref: '#/components/schemas/Cat'}, {$ref: '#/components/schemas/Dog'}], discriminator: {propertyName: kind"
	for schema, want := range map[string]string{
		"{" + both + ", mapping: {cat: '#/components/schemas/Cat', dog: '#/components/schemas/Dog'}}}": "cat",
		"{" + both + ", mapping: {cat: Cat, dog: Dog}}}":                                               "cat",
		"{" + both + "}}": "Cat",
		"{" + strings.Replace(both, "oneOf", "anyOf", 1) + ", mapping: {c: '#/components/schemas/Cat'}}}": "c",
		"{$ref: '#/components/schemas/Lizard'}":                                                           "lizard",
		"{$ref: '#/components/schemas/Snake'}":                                                            "Snake",
	} {
		text := head + "paths: {/p: {post: {requestBody: {content: {application/json: {schema: " + schema +
			"}}}, responses: {\"200\": {description: ok}}}}}" + schemas
		l, err := Requests("x.yaml", []byte(text), Options{Methods: []string{"POST"}})
		if err != nil {
			t.Errorf("%s: %v", schema, err)
			continue
		}
		var body struct{ Kind string }
		if err := json.Unmarshal(l.Requests[0].Body, &body); err != nil || body.Kind != want {
			t.Errorf("%s: %s, want %s (%v)", schema, l.Requests[0].Body, want, l.Notes)
		}
	}
}

func TestADescriptionWithTooManyValues(t *testing.T) {
	text := `{"openapi":"3.0.3","info":{"title":"x","version":"1"},"paths":{},"x":[` +
		strings.Repeat("[],", 1_000_000) + "1]}"
	if _, err := Requests("x.json", []byte(text), Options{}); err == nil ||
		!strings.Contains(err.Error(), "at most") && !strings.Contains(err.Error(), "more than 1,500,000 values") {
		t.Errorf("%v", err)
	}
}
