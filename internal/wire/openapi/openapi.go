// Package openapi makes requests of a description of an API (OpenAPI 3.0 and 3.1): one for
// each operation, with the values of its examples, or else values that its schemas allow.
package openapi

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/inputs"
	"github.com/gohone/hone/internal/wire"
	"github.com/gohone/hone/internal/wire/requests"
)

// Options say which operations are taken, and what fills their parameters.
type Options struct {
	// Methods are those that are taken; empty: GET and HEAD.
	Methods []string
	// Columns are names of a feed: a path or query parameter of such a name becomes {name}.
	Columns []string
}

// ReadFile reads the text of a description. Errors are *fail.Error.
func ReadFile(name string) ([]byte, error) {
	text, err := inputs.OpenAPI.ReadFile(name)
	if err == nil {
		text, err = io.ReadAll(inputs.Text(bytes.NewReader(text)))
	}
	if err != nil {
		return nil, fail.New(fail.Or(fail.BadInput, err), "read OpenAPI file: %w", err)
	}
	return text, nil
}

// swagger is the first key of an OpenAPI 2.0 file.
var swagger = regexp.MustCompile(`(?m)^\s*\{?\s*["']?swagger["']?\s*:\s*["']?2`)

// Requests makes a request of each operation of a description, in the order of paths and
// methods. name is for errors, which are *fail.Error of kind BadInput.
func Requests(name string, text []byte, o Options) (*requests.List, error) {
	r, err := read(name, text, o)
	if err != nil {
		return nil, err
	}
	l := r.finish()
	if len(l.Requests) == 0 {
		var why []string
		for _, reason := range l.LeftOut {
			why = append(why, fmt.Sprintf("%d %s", reason.Count, reason.Why))
		}
		return nil, fail.New(fail.BadInput, "%s: none of its %d operations is taken: %s", name, l.Found,
			strings.Join(why, "; ")).
			WithHint("--set methods=POST,GET says which methods are taken; the others may change data")
	}
	return l, nil
}

// read goes through a description.
func read(name string, text []byte, o Options) (*reader, error) {
	if swagger.Match(text) {
		return nil, fail.New(fail.BadInput, "%s is of Swagger 2.0, and hone reads OpenAPI 3", name).
			WithHint("convert it: npx swagger2openapi FILE, or the converter of editor.swagger.io")
	}
	doc, err := parse(text)
	if err != nil {
		return nil, fail.New(fail.BadInput, "%s: %w", name, err).WithHint("%s", hintOf(err))
	}
	if len(o.Methods) == 0 {
		o.Methods = []string{"GET", "HEAD"}
	}
	r := &reader{doc: doc, options: o, left: map[string]int{}, headers: map[string]int{}, unwritten: map[string]int{}}
	if err := r.all(); err != nil {
		return nil, fail.New(fail.BadInput, "%s: %w", name, err).WithHint("%s", hintOf(err))
	}
	return r, nil
}

// parse reads a description. A panic of the library is an error: files come from others.
func parse(text []byte) (doc *openapi3.T, err error) {
	if err := inputs.OpenAPIValues.Over("", values(text)); err != nil {
		return nil, err
	}
	defer func() {
		if p := recover(); p != nil {
			doc, err = nil, fmt.Errorf("it cannot be read: %v", p)
		}
	}()
	loader := openapi3.NewLoader() // it opens no other file: IsExternalRefsAllowed is off
	if doc, err = loader.LoadFromData(text); err != nil {
		return nil, err
	}
	if !strings.HasPrefix(doc.OpenAPI, "3.") {
		return nil, errors.New(`it has no "openapi: 3.x"`)
	}
	return doc, nil
}

// values is about how many keys and values a text of YAML or JSON has: each has one of these bytes.
func values(text []byte) (n int64) {
	for _, mark := range []string{"\n", ":", ",", "[", "{", "- "} {
		n += int64(bytes.Count(text, []byte(mark)))
	}
	return n
}

func hintOf(err error) string {
	if strings.Contains(err.Error(), "external ref") {
		return "put its parts into one file: npx @redocly/cli bundle FILE"
	}
	return "an OpenAPI file begins with openapi: 3.0.3 or 3.1.0, and has paths"
}

// reader is a description that is being turned into requests.
type reader struct {
	doc     *openapi3.T
	options Options
	list    requests.List
	// templates are the paths of the list, with {parameters}.
	templates []string
	left      map[string]int
	headers   map[string]int // that operations need and the file has no value of
	unwritten map[string]int // optional parameters that are left out, by the reason
	invent    int            // values that were made from schemas
	values    int            // that were made for the operation that is being read
	at        string         // that operation
	unfit     []string       // values that were made and do not fit, with their place
}

func (r *reader) leave(why string) { r.left[why]++ }

// all goes through the operations.
func (r *reader) all() (err error) {
	defer func() {
		if p := recover(); p != nil { // of a nil in a place that every valid file fills
			err = fmt.Errorf("it is not valid: %v", p)
		}
	}()
	if r.doc.Paths == nil {
		return nil
	}
	paths := r.doc.Paths.Map()
	for _, path := range sortedKeys(paths) {
		item := paths[path]
		operations := item.Operations()
		for _, method := range sortedKeys(operations) {
			r.list.Found++
			if !slices.Contains(r.options.Methods, method) {
				r.leave("of the method " + method + ", which may change data (--set methods takes it)")
				continue
			}
			if err := r.operation(method, path, item, operations[method]); err != nil {
				r.leave(err.Error())
			}
		}
	}
	return nil
}

// base is the path of the server, which all paths of an operation begin with.
func (r *reader) base(item *openapi3.PathItem, op *openapi3.Operation) string {
	servers := r.doc.Servers
	if len(item.Servers) > 0 {
		servers = item.Servers
	}
	if op.Servers != nil && len(*op.Servers) > 0 {
		servers = *op.Servers
	}
	if len(servers) == 0 || servers[0] == nil {
		return ""
	}
	text := servers[0].URL
	for name, v := range servers[0].Variables {
		if v == nil {
			continue
		}
		value := v.Default
		if value == "" && len(v.Enum) > 0 {
			value = v.Enum[0]
		}
		text = strings.ReplaceAll(text, "{"+name+"}", value)
	}
	u, err := url.Parse(text)
	if err != nil {
		return ""
	}
	// Without a scheme it may be //host/path, /path or path (RFC 3986 section 4.2).
	return strings.TrimRight((&url.URL{Path: "/"}).ResolveReference(u).EscapedPath(), "/")
}

// check notes a value that was made and does not fit its schema.
func (r *reader) check(what string, ref *openapi3.SchemaRef, value any) {
	if ref == nil || ref.Value == nil {
		return
	}
	raw, err := json.Marshal(value)
	if err != nil {
		return
	}
	var plain any // as a server reads it
	if json.Unmarshal(raw, &plain) != nil {
		return
	}
	defer func() { _ = recover() }() // of a schema that is not valid: the value stays as it is
	err = ref.Value.VisitJSON(plain, openapi3.VisitAsRequest())
	var wrong *openapi3.SchemaError
	if !errors.As(err, &wrong) {
		return
	}
	if name := strings.Join(wrong.JSONPointer(), "."); name != "" {
		what += ", " + name
	}
	r.unfit = append(r.unfit, fmt.Sprintf("%s: %s: the value that was made does not fit (%s)", r.at, what,
		oneLine(wrong.Reason)))
}

// oneLine bounds a text of the library, which may quote the file.
func oneLine(text string) string {
	const most = 200
	text = strings.Join(strings.Fields(text), " ")
	if len(text) > most {
		text = strings.ToValidUTF8(text[:most], "") + "..."
	}
	return text
}

// operation adds the request of an operation. An error is why there is none.
func (r *reader) operation(method, path string, item *openapi3.PathItem, op *openapi3.Operation) error {
	one := wire.Request{Method: method, Raw: true, Weight: 1}
	r.values, r.at = 0, method+" "+path
	p := &parameters{reader: r, path: path}
	if err := p.add(item.Parameters, op.Parameters); err != nil {
		return err
	}
	if strings.ContainsAny(p.unfilled(), "{}") {
		return errors.New("with a path parameter that is not described")
	}
	one.Path = r.base(item, op) + p.target()
	one.Headers = p.headers
	kind, err := r.body(&one, op)
	if err != nil {
		return err
	}
	if kind != "" {
		one.Headers = append(one.Headers, "Content-Type: "+kind)
	}
	if accept := accepts(op); accept != "" {
		one.Headers = append(one.Headers, "Accept: "+accept)
	}
	r.security(op)
	r.list.Requests, r.templates = append(r.list.Requests, one), append(r.templates, r.base(item, op)+path)
	return nil
}

// accepts is the type of the first right answer that is described.
func accepts(op *openapi3.Operation) string {
	if op.Responses == nil {
		return ""
	}
	all := op.Responses.Map()
	for _, status := range sortedKeys(all) {
		if strings.HasPrefix(status, "2") && all[status].Value != nil {
			if kind := firstKind(all[status].Value.Content); kind != "" {
				return kind
			}
		}
	}
	return ""
}

// finish completes the list with what there is to say.
func (r *reader) finish() *requests.List {
	l := &r.list
	for _, why := range sortedKeys(r.left) {
		l.LeftOut = append(l.LeftOut, requests.Reason{Why: why, Count: r.left[why]})
	}
	for _, header := range sortedKeys(r.headers) {
		l.Notes = append(l.Notes, fmt.Sprintf("%d of the operations need %s", r.headers[header], header))
	}
	for _, why := range sortedKeys(r.unwritten) {
		l.Notes = append(l.Notes, fmt.Sprintf("%d of the operations are sent without %s", r.unwritten[why], why))
	}
	if r.invent > 0 {
		l.Notes = append(l.Notes,
			fmt.Sprintf("%d values have no example: they are made from their schemas, and such ids may not exist",
				r.invent))
	}
	const most = 10
	l.Notes = append(l.Notes, r.unfit[:min(most, len(r.unfit))]...)
	if more := len(r.unfit) - most; more > 0 {
		l.Notes = append(l.Notes, fmt.Sprintf("%d more values that were made do not fit", more))
	}
	return l
}
