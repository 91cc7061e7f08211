package openapi

import (
	"errors"
	"fmt"
	"maps"
	"net/url"
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
		if one.In == "path" {
			p.filled[one.Name] = "{" + one.Name + "}"
		} else {
			p.query = append(p.query, url.QueryEscape(one.Name)+"={"+one.Name+"}")
		}
		return nil
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
			return fmt.Errorf("with a %s parameter whose schema is too deep, or allows no value that can be made", one.In)
		}
		p.check("parameter "+one.Name, schema, value)
	}
	return p.place(one, value)
}

// place puts a value where the parameter stands.
func (p *parameters) place(one *openapi3.Parameter, value any) error {
	explode := one.In == "query" || one.In == "cookie" // the default of style form
	if one.Explode != nil {
		explode = *one.Explode
	}
	switch one.In {
	case "path":
		p.filled[one.Name] = url.PathEscape(joined(value, ",", explode))
		if p.filled[one.Name] == "" {
			return errors.New("with a path parameter whose example is empty")
		}
	case "query":
		p.query = append(p.query, queryOf(one, value, explode)...)
	case "cookie":
		p.cookies = append(p.cookies, one.Name+"="+joined(value, ",", false))
	case "header":
		switch strings.ToLower(one.Name) {
		case "accept", "content-type", "authorization": // OpenAPI 3.0.3, Parameter Object: they mean nothing here
			return nil
		case "content-length", "transfer-encoding", "connection", "host", "expect", "upgrade":
			return nil
		}
		line := joined(value, ",", explode)
		if !httpguts.ValidHeaderFieldName(one.Name) || !httpguts.ValidHeaderFieldValue(line) {
			return errors.New("with a header parameter that is not a header")
		}
		p.headers = append(p.headers, one.Name+": "+line)
	}
	return nil
}

// queryOf writes a parameter of a query by its style.
func queryOf(one *openapi3.Parameter, value any, explode bool) (all []string) {
	name := url.QueryEscape(one.Name)
	escape := func(v any) string { return strings.ReplaceAll(url.QueryEscape(plain(v)), "+", "%20") }
	switch v := value.(type) {
	case []any:
		separator := map[string]string{"spaceDelimited": "%20", "pipeDelimited": "%7C"}[one.Style]
		var parts []string
		for _, item := range v {
			if explode && separator == "" {
				all = append(all, name+"="+escape(item))
			}
			parts = append(parts, escape(item))
		}
		if !explode || separator != "" {
			if separator == "" {
				separator = ","
			}
			return []string{name + "=" + strings.Join(parts, separator)}
		}
		return all
	case map[string]any:
		for _, key := range sortedKeys(v) {
			switch {
			case one.Style == "deepObject":
				all = append(all, name+"%5B"+url.QueryEscape(key)+"%5D="+escape(v[key]))
			case explode:
				all = append(all, url.QueryEscape(key)+"="+escape(v[key]))
			}
		}
		if all == nil {
			return []string{name + "=" + url.QueryEscape(joined(v, ",", false))}
		}
		return all
	}
	return []string{name + "=" + escape(value)}
}

// joined writes a value in the style simple (RFC 6570 section 3.2.2).
func joined(value any, separator string, explode bool) string {
	var parts []string
	switch v := value.(type) {
	case []any:
		for _, item := range v {
			parts = append(parts, plain(item))
		}
	case map[string]any:
		between := separator
		if explode {
			between = "="
		}
		for _, key := range sortedKeys(v) {
			parts = append(parts, key+between+plain(v[key]))
		}
	default:
		return plain(value)
	}
	return strings.Join(parts, separator)
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
