package openapi

import (
	"fmt"
	"strings"
	"testing"
)

// A parameter is written as its style says: OpenAPI 3.1.1, Style Examples, and RFC 6570 section 3.2. Where neither says
// it, there is no request, or one without the parameter, and a reason.
func TestStyles(t *testing.T) {
	const list, object, text, empty = "[blue, black b]", "{R: 100, G: 200}", "blue", "''"
	for _, tc := range []struct{ in, style, example, want string }{
		{"path", "", text, "/p/blue"},
		{"path", "", list, "/p/blue,black%20b"},
		{"path", "explode: true", list, "/p/blue,black%20b"},
		{"path", "style: simple", object, "/p/G,200,R,100"},
		{"path", "style: simple, explode: true", object, "/p/G=200,R=100"},
		{"path", "", "'a/b,c'", "/p/a%2Fb%2Cc"},
		{"path", "style: label", text, "/p/.blue"},
		{"path", "style: label", list, "/p/.blue,black%20b"},
		{"path", "style: label, explode: true", list, "/p/.blue.black%20b"},
		{"path", "style: label", object, "/p/.G,200,R,100"},
		{"path", "style: label, explode: true", object, "/p/.G=200.R=100"},
		{"path", "style: label", empty, "/p/."},
		{"path", "style: matrix", text, "/p/;c=blue"},
		{"path", "style: matrix", empty, "/p/;c"},
		{"path", "style: matrix", list, "/p/;c=blue,black%20b"},
		{"path", "style: matrix, explode: true", list, "/p/;c=blue;c=black%20b"},
		{"path", "style: matrix", object, "/p/;c=G,200,R,100"},
		{"path", "style: matrix, explode: true", object, "/p/;G=200;R=100"},
		{"path", "", "[]", "1 whose example is empty"},
		{"path", "", empty, "1 with a path parameter whose example is empty"},
		{"path", "style: form", text,
			"1 with a path parameter in style form with explode: OpenAPI does not say how a single value is written"},
		{"path", "", "[[1]]",
			"1 with a path parameter in style simple without explode: OpenAPI does not say how a list of lists or objects is written"},
		{"path", "content", object, `/p/%7B%22G%22:200%2C%22R%22:100%7D`},

		{"query", "", text, "/p?c=blue"},
		{"query", "", empty, "/p?c="},
		{"query", "", list, "/p?c=blue&c=black%20b"},
		{"query", "explode: false", list, "/p?c=blue,black%20b"},
		{"query", "", object, "/p?G=200&R=100"},
		{"query", "explode: false", object, "/p?c=G,200,R,100"},
		{"query", "", "[]", "/p"},
		{"query", "required: true", "[]", "1 whose example is empty"},
		{"query", "style: spaceDelimited, explode: false", list, "/p?c=blue%20black%20b"},
		{"query", "style: spaceDelimited", object, "/p?c=G%20200%20R%20100"},
		{"query", "style: pipeDelimited", list, "/p?c=blue%7Cblack%20b"},
		{"query", "style: pipeDelimited, explode: true", list,
			"/p; 1 of the operations are sent without a query parameter in style pipeDelimited with explode: OpenAPI does not say how a list is written"},
		{"query", "style: pipeDelimited, explode: true, required: true", list,
			"1 with a query parameter in style pipeDelimited with explode: OpenAPI does not say how a list is written"},
		{"query", "style: deepObject", object, "/p?c%5BG%5D=200&c%5BR%5D=100"},
		{"query", "style: deepObject, required: true", list,
			"1 with a query parameter in style deepObject with explode: OpenAPI does not say how a list is written"},
		{"query", "style: deepObject", "{a: {b: 1}}",
			"/p; 1 of the operations are sent without a query parameter in style deepObject with explode: OpenAPI does not say how an object of lists or objects is written"},
		{"query", "", "'a:/?&=+#b'", "/p?c=a%3A%2F%3F%26%3D%2B%23b"},
		{"query", "allowReserved: true", "'a:/?&=+#b'", "/p?c=a:/?%26%3D%2B%23b"},
		{"query", "content", object, "/p?c=%7B%22G%22%3A200%2C%22R%22%3A100%7D"},

		{"header", "", list, "/p c: blue,black b"},
		{"header", "", object, "/p c: G,200,R,100"},
		{"header", "explode: true", object, "/p c: G=200,R=100"},
		{"header", "style: form, required: true", text,
			"1 with a header parameter in style form with explode: OpenAPI does not say how a single value is written"},
		{"cookie", "", text, "/p Cookie: c=blue"},
		{"cookie", "explode: false", list, "/p Cookie: c=blue,black%20b"},
		{"cookie", "", list,
			"/p; 1 of the operations are sent without a cookie parameter in style form with explode: OpenAPI does not say how a list is written"},
	} {
		path, style, required := "/p", tc.style, ""
		if tc.in == "path" {
			path, required = "/p/{c}", "required: true, "
		}
		described := style + ", example: " + tc.example
		if style == "" {
			described = "example: " + tc.example
		} else if style == "content" {
			described = "content: {application/json: {example: " + tc.example + "}}"
		}
		l, err := read("x.yaml",
			[]byte(fmt.Sprintf("%spaths: {%q: {get: {parameters: [{name: c, in: %s, %s%s}], responses: {}}}}\n",
				head, path, tc.in, required, described)), Options{})
		if err != nil {
			t.Errorf("%+v: %v", tc, err)
			continue
		}
		done := l.finish()
		got := strings.Join(done.Notes, "; ")
		for _, left := range done.LeftOut {
			got = fmt.Sprintf("%d %s", left.Count, left.Why)
		}
		if len(done.Requests) == 1 {
			if notes := got; notes != "" {
				got = "; " + notes
			}
			got = strings.Join(append([]string{done.Requests[0].Path}, done.Requests[0].Headers...), " ") + got
		}
		if got != tc.want {
			t.Errorf("%s %s %s: got\n%s\nwant\n%s", tc.in, tc.style, tc.example, got, tc.want)
		}
	}
}

// A column of a feed stands where the value would.
func TestColumnsInStyles(t *testing.T) {
	l, err := Requests("x.yaml", []byte(head+`paths: {"/{a}/{b}/{c}": {get: {parameters: [
		{name: a, in: path, required: true}, {name: b, in: path, required: true, style: label}, {name: c, in: path, required: true, style: matrix},
		{name: d, in: query}], responses: {}}}}`), Options{Columns: []string{"a", "b", "c", "d"}})
	if err != nil || l.Requests[0].Path != "/{a}/.{b}/;c={c}?d={d}" {
		t.Errorf("%+v, %v", l, err)
	}
}
