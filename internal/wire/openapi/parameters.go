package openapi

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
	"golang.org/x/net/http/httpguts"
)

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// parameters fills the parameters of one operation.
type parameters struct {
	*reader
	path    string
	filled  map[string]string // of the path, by name, encoded
	query   []string
	cookies []string
	headers []string
}

// add fills all parameters: those of the operation instead of the path's of the same
// place and name. Parameters that are not required are sent if they have an example.
func (p *parameters) add(ofPath, ofOperation openapi3.Parameters) error {
	p.filled = map[string]string{}
	var all []*openapi3.Parameter
	for _, ref := range slices.Concat(ofOperation, ofPath) {
		if ref == nil || ref.Value == nil {
			continue
		}
		same := func(o *openapi3.Parameter) bool { return o.In == ref.Value.In && o.Name == ref.Value.Name }
		if !slices.ContainsFunc(all, same) {
			all = append(all, ref.Value)
		}
	}
	for _, one := range all {
		if err := p.one(one); err != nil {
			return err
		}
	}
	if len(p.cookies) > 0 {
		p.headers = append(p.headers, "Cookie: "+strings.Join(p.cookies, "; "))
	}
	return nil
}

// one fills one parameter.
func (p *parameters) one(one *openapi3.Parameter) error {
	if slices.Contains(p.options.Columns, one.Name) && (one.In == "path" || one.In == "query") {
		text, err := newStyled(one).column()
		if err != nil {
			return p.without(one, err)
		}
		return p.put(one, text)
	}
	value, given := exampleOf(one.Example, one.Examples)
	schema := one.Schema
	if kinds := sortedKeys(one.Content); !given && len(kinds) > 0 && one.Content[kinds[0]] != nil {
		media := one.Content[kinds[0]]
		value, given = exampleOf(media.Example, media.Examples)
		schema = media.Schema
	}
	if !given && schema != nil && schema.Value != nil {
		value, given = ownExample(schema.Value)
	}
	if !given && !one.Required && one.In != "path" {
		return nil
	}
	if !given {
		if schema == nil || schema.Value == nil {
			return fmt.Errorf("with a %s parameter that has neither example nor schema", one.In)
		}
		p.invent++
		var ok bool
		if value, ok = p.make(schema.Value, 0); !ok {
			return fmt.Errorf("with a %s parameter whose schema is too deep, or allows no value that can be made",
				one.In)
		}
		p.check("parameter "+one.Name, schema, value)
	}
	return p.place(one, value)
}

// place puts a value where the parameter stands, as its style says.
func (p *parameters) place(one *openapi3.Parameter, value any) error {
	if one.In == "header" && slices.Contains(ownHeaders, strings.ToLower(one.Name)) {
		return nil
	}
	text, err := newStyled(one).text(value)
	if err != nil {
		return p.without(one, err)
	}
	return p.put(one, text)
}

// ownHeaders are those that mean nothing as parameters (OpenAPI 3.0.3, Parameter Object), or that hone writes itself.
var ownHeaders = []string{
	"accept", "content-type", "authorization", "content-length", "transfer-encoding", "connection", "host", "expect",
	"upgrade",
}

// without leaves a parameter out whose value cannot be written. Without one that is required there is no request.
func (p *parameters) without(one *openapi3.Parameter, why error) error {
	if one.Required || one.In == "path" {
		return why
	}
	if !errors.Is(why, errUnset) {
		p.unwritten[strings.TrimPrefix(why.Error(), "with ")]++
	}
	return nil
}

// put adds a parameter as it is sent.
func (p *parameters) put(one *openapi3.Parameter, text string) error {
	switch one.In {
	case "path":
		if p.filled[one.Name] = text; text == "" {
			return errors.New("with a path parameter whose example is empty")
		}
	case "query":
		p.query = append(p.query, text)
	case "cookie":
		p.cookies = append(p.cookies, text)
	case "header":
		if !httpguts.ValidHeaderFieldName(one.Name) || !httpguts.ValidHeaderFieldValue(text) {
			return errors.New("with a header parameter that is not a header")
		}
		p.headers = append(p.headers, one.Name+": "+text)
	}
	return nil
}

// unfilled is what is left of the path when all that is filled is taken out.
func (p *parameters) unfilled() string {
	path := p.path
	for name := range p.filled {
		path = strings.ReplaceAll(path, "{"+name+"}", "")
	}
	return path
}

// target is the path and the query.
func (p *parameters) target() string {
	path := p.path
	if !strings.HasPrefix(path, "/") {
		path = "/" + path
	}
	var replace []string
	for _, name := range sortedKeys(p.filled) {
		replace = append(replace, "{"+name+"}", p.filled[name])
	}
	path = strings.NewReplacer(append(replace, " ", "%20", "#", "%23")...).Replace(path)
	if len(p.query) > 0 {
		separator := "?"
		if strings.Contains(path, "?") {
			separator = "&"
		}
		path += separator + strings.Join(p.query, "&")
	}
	return path
}
