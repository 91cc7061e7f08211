package openapi_test

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/wire"
	"github.com/gohone/hone/internal/wire/openapi"
	"github.com/gohone/hone/internal/wire/schemes"
)

var update = flag.Bool("update", false, "write the golden files")

func TestRequestsOfADescription(t *testing.T) {
	text, err := openapi.ReadFile("testdata/shop.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, o := range []openapi.Options{
		{},
		{Columns: []string{"id", "page"}},
		{Methods: []string{"GET", "POST", "PUT", "DELETE"}},
	} {
		l, err := openapi.Requests("shop.yaml", text, o)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&b, "# methods %v, columns %v\n", o.Methods, o.Columns)
		for _, r := range l.Requests {
			fmt.Fprintf(&b, "%s %s %q %s\n", r.Method, r.Path, r.Headers, r.Body)
		}
		b.WriteString(strings.Join(l.Summary("shop.yaml", "operations"), "\n") + "\n")
	}
	const golden = "testdata/shop.golden"
	if *update {
		if err := os.WriteFile(golden, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if want, err := os.ReadFile(golden); err != nil || b.String() != string(want) {
		t.Errorf("%v; got\n%s\nwant\n%s", err, b.String(), want)
	}
}

func TestJSONAndOpenAPI30(t *testing.T) {
	l, err := openapi.Requests("a.json", []byte(`{"openapi": "3.0.3", "info": {"title": "a", "version": "1"}, "paths": {"/a/{n}": {"get": {
		"parameters": [{"name": "n", "in": "path", "required": true, "schema": {"type": "integer", "minimum": 5, "exclusiveMinimum": true}}],
		"responses": {"200": {"description": "ok"}}}}}}`), openapi.Options{})
	if err != nil || len(l.Requests) != 1 || l.Requests[0].Path != "/a/6" {
		t.Errorf("%+v, %v", l, err)
	}
}

func TestBadDescriptionsAreRefused(t *testing.T) {
	const head = "openapi: 3.0.3\ninfo: {title: a, version: '1'}\n"
	for text, want := range map[string]string{
		"swagger: '2.0'\n":            "is of Swagger 2.0",
		`{"swagger": "2.0"}`:          "is of Swagger 2.0",
		"":                            `it has no "openapi: 3.x"`,
		"a: [":                        "a.yaml: ",
		"openapi: 4.0.0\npaths: {}\n": `it has no "openapi: 3.x"`,
		head + "paths: {}\n":          "none of its 0 operations",
		head + "paths: {/a: {post: {responses: {}}}}\n":            "none of its 1 operations is taken: 1 of the method POST",
		head + "paths: {/a: {$ref: 'other.yaml#/a'}}\n":            "external ref",
		head + "paths: {'/a/{b}': {get: {responses: {}}}}\n":       "path parameter that is not described",
		head + "paths: {/a: {get: {parameters: [{$ref: '#/x'}]}}}": "a.yaml: ",
	} {
		_, err := openapi.Requests("a.yaml", []byte(text), openapi.Options{})
		var e *fail.Error
		if !errors.As(err, &e) || e.Kind != fail.BadInput || !strings.Contains(err.Error(), want) || e.Hint == "" {
			t.Errorf("%q: %v, want %q and a hint", text, err, want)
		}
	}
}

// Arrays of arrays, and schemas that refer to each other in several places, end.
func TestAnEndlessSchemaEnds(t *testing.T) {
	l, err := openapi.Requests("a.yaml", []byte(`
openapi: 3.0.3
info: {title: a, version: "1"}
paths:
  /a: {post: {requestBody: {content: {application/json: {schema: {$ref: "#/components/schemas/A"}}}}, responses: {}}}
  /b: {post: {responses: {}}}
components:
  schemas:
    A: {type: array, minItems: 1000, items: {$ref: "#/components/schemas/B"}}
    B: {type: array, minItems: 1000, items: {$ref: "#/components/schemas/A"}}
`), openapi.Options{Methods: []string{"POST"}})
	if err != nil || len(l.Requests) != 1 || len(l.LeftOut) != 1 || !strings.Contains(l.LeftOut[0].Why, "too deep") {
		t.Errorf("%+v, %v", l, err)
	}
}

// What a description yields can be sent.
func FuzzRequests(f *testing.F) {
	if text, err := os.ReadFile("testdata/shop.yaml"); err == nil {
		f.Add(string(text))
	}
	f.Add(`{"openapi":"3.0.0","paths":{"/a":{"get":{"parameters":[{"name":"a","in":"query","example":1}]}}}}`)
	f.Fuzz(func(t *testing.T, text string) {
		l, err := openapi.Requests("a.yaml", []byte(text),
			openapi.Options{Methods: []string{"GET", "POST", "PUT", "PATCH", "DELETE"}})
		if err != nil {
			var e *fail.Error
			if !errors.As(err, &e) || e.Kind != fail.BadInput {
				t.Errorf("%v is not an input error", err)
			}
			return
		}
		if _, err := schemes.Parse("http://127.0.0.1:1", wire.Options{Requests: l.Requests}); err != nil {
			t.Errorf("%q: %v", text, err)
		}
	})
}
