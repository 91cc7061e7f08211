package openapi_test

import (
	"testing"

	"github.com/gohone/hone/internal/wire"
	"github.com/gohone/hone/internal/wire/openapi"
)

// A request of a log gets the body of the operation that its path fits best.
func TestBodiesOfALog(t *testing.T) {
	b, err := openapi.ReadBodies("api.yaml", []byte(`
openapi: 3.0.3
info: {title: a, version: "1"}
servers: [{url: https://shop.example/v1}]
paths:
  /{kind}/{id}:
    parameters: [{name: kind, in: path, required: true, schema: {type: string}}, {name: id, in: path, required: true, schema: {type: string}}]
    put: {requestBody: {content: {text/plain: {example: any}}}, responses: {"200": {description: ok}}}
  /orders/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
    put: {requestBody: {content: {application/json: {example: {a: 1}}}}, responses: {"200": {description: ok}}}
`))
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct{ method, path, body, kind string }{
		{"PUT", "/v1/orders/17?dry=1", `{"a":1}`, "Content-Type: application/json"},
		{"PUT", "/v1/carts/17", "any", "Content-Type: text/plain"},
		{"PUT", "/orders/17", "", ""},
		{"PUT", "/v1/orders/17/lines", "", ""},
		{"POST", "/v1/orders/17", "", ""},
	} {
		r := wire.Request{Method: tc.method, Path: tc.path, Headers: []string{"Content-Type: x"}}
		ok := b.Fill(&r)
		if ok != (tc.body != "") || string(r.Body) != tc.body || ok && r.Headers[0] != tc.kind {
			t.Errorf("%s %s: %v %q %q", tc.method, tc.path, ok, r.Body, r.Headers)
		}
	}
}
