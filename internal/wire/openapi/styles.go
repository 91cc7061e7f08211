package openapi

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
)

// operator is how a style writes values: the table of RFC 6570, appendix A.
type operator struct {
	first, between string // before the first value, and between values that are exploded
	named          bool   // a value has the name of the parameter in front
	afterName      string // of an empty value
}

// operators are the styles that OpenAPI defines by RFC 6570 (OpenAPI 3.1.1, Appendix C), by place and style.
var operators = map[string]operator{
	"path simple":   {between: ","},
	"path label":    {first: ".", between: "."},
	"path matrix":   {first: ";", between: ";", named: true},
	"header simple": {between: ","},
	"query form":    {between: "&", named: true, afterName: "="},
	"cookie form":   {between: "&", named: true, afterName: "="},
}

// defaultStyles are those of parameters that name none.
var defaultStyles = map[string]string{"path": "simple", "header": "simple", "query": "form", "cookie": "form"}

// separators join the items of lists, and names and values of objects, in one value of a query.
var separators = map[string]string{"spaceDelimited": "%20", "pipeDelimited": "%7C"}

// styled is a parameter whose value is being written.
type styled struct {
	*openapi3.Parameter
	style   string
	explode bool
	escape  func(string) string
}

func newStyled(one *openapi3.Parameter) styled {
	s := styled{Parameter: one, style: one.Style, escape: url.PathEscape}
	if s.style == "" {
		s.style = defaultStyles[one.In]
	}
	s.explode = s.style == "form" || s.style == "deepObject"
	if one.Explode != nil {
		s.explode = *one.Explode
	}
	switch {
	case one.In == "header":
		s.escape = func(text string) string { return text }
	case one.In != "path":
		s.escape = escapeQuery
		if one.AllowReserved {
			s.escape = escapeReserved
		}
	}
	return s
}

func escapeQuery(text string) string { return strings.ReplaceAll(url.QueryEscape(text), "+", "%20") }

// kept are the reserved characters that mean nothing in a query (RFC 3986 section 3.4).
var kept = strings.NewReplacer("%3A", ":", "%2F", "/", "%3F", "?", "%40", "@", "%21", "!", "%24", "$", "%27", "'",
	"%28", "(", "%29", ")", "%2A", "*", "%2C", ",", "%3B", ";")

func escapeReserved(text string) string { return kept.Replace(escapeQuery(text)) }

// errUnset says that a value is written by leaving its parameter out: an empty list (RFC 6570 section 2.3).
var errUnset = errors.New("whose example is empty")

// text is the value as it is sent: of a query all pairs, of a cookie the pair. An error is why OpenAPI does not say
// how.
func (s styled) text(value any) (string, error) {
	if len(s.Content) > 0 {
		return s.content(value)
	}
	if s.style == "deepObject" && s.In == "query" && s.explode {
		return s.deepObject(value)
	}
	if between, ok := separators[s.style]; ok && s.In == "query" && !s.explode {
		parts, err := s.parts(value, between)
		if len(parts) < 2 && err == nil && !isCompound(value) {
			err = s.undefined(value)
		}
		return s.escape(s.Name) + "=" + strings.Join(parts, between), err
	}
	op, ok := operators[s.In+" "+s.style]
	if !ok || s.In == "cookie" && s.explode && isCompound(value) { // of a cookie, & joins nothing
		return "", s.undefined(value)
	}
	return s.expanded(op, value)
}

// expanded writes a value as RFC 6570, section 3.2.1, does.
func (s styled) expanded(op operator, value any) (string, error) {
	name := ""
	if op.named {
		name = s.escape(s.Name)
	}
	if !isCompound(value) {
		text := s.escape(plain(value))
		switch {
		case op.named && text == "":
			text = name + op.afterName
		case op.named:
			text = name + "=" + text
		}
		return op.first + text, nil
	}
	between := ","
	if s.explode {
		between = "="
	}
	parts, err := s.parts(value, between)
	if err != nil {
		return "", err
	}
	_, isList := value.([]any)
	switch {
	case !s.explode && op.named:
		return op.first + name + "=" + strings.Join(parts, ","), nil
	case !s.explode:
		return op.first + strings.Join(parts, ","), nil
	case isList && op.named:
		for i := range parts {
			parts[i] = name + "=" + parts[i]
		}
	}
	return op.first + strings.Join(parts, op.between), nil
}

// parts are the items of a list, or the names and values of an object with text between them.
func (s styled) parts(value any, between string) (parts []string, err error) {
	add := func(before string, item any) {
		if isCompound(item) {
			err = s.undefined(value)
		}
		parts = append(parts, before+s.escape(plain(item)))
	}
	switch v := value.(type) {
	case []any:
		for _, item := range v {
			add("", item)
		}
	case map[string]any:
		for _, key := range sortedKeys(v) {
			add(s.escape(key)+between, v[key])
		}
	default:
		add("", v)
	}
	if len(parts) == 0 {
		return nil, errUnset
	}
	return parts, err
}

func (s styled) deepObject(value any) (string, error) {
	v, ok := value.(map[string]any)
	if !ok {
		return "", s.undefined(value)
	}
	var pairs []string
	for _, key := range sortedKeys(v) {
		if isCompound(v[key]) {
			return "", s.undefined(value)
		}
		pairs = append(pairs, s.escape(s.Name)+"%5B"+s.escape(key)+"%5D="+s.escape(plain(v[key])))
	}
	if len(pairs) == 0 {
		return "", errUnset
	}
	return strings.Join(pairs, "&"), nil
}

// content writes a value whose parameter has a media type instead of a style.
func (s styled) content(value any) (string, error) {
	kind := sortedKeys(s.Content)[0]
	isJSON := strings.HasSuffix(kind, "/json") || strings.HasSuffix(kind, "+json")
	if !isJSON && isCompound(value) {
		return "", fmt.Errorf("with a %s parameter of type %s, which hone does not write", s.In, oneLine(kind))
	}
	text := plain(value)
	if b, err := json.Marshal(value); isJSON && err == nil {
		text = string(b)
	}
	text = s.escape(text)
	if s.In == "query" || s.In == "cookie" {
		text = s.escape(s.Name) + "=" + text
	}
	return text, nil
}

func isCompound(value any) bool {
	switch value.(type) {
	case []any, map[string]any:
		return true
	}
	return false
}

func (s styled) undefined(value any) error {
	kind, nested := "a single value", false
	switch v := value.(type) {
	case []any:
		kind = "a list"
		for _, item := range v {
			nested = nested || isCompound(item)
		}
	case map[string]any:
		kind = "an object"
		for _, item := range v {
			nested = nested || isCompound(item)
		}
	}
	if nested {
		kind += " of lists or objects"
	}
	how := map[bool]string{true: "with explode", false: "without explode"}[s.explode]
	return fmt.Errorf("with a %s parameter in style %s %s: OpenAPI does not say how %s is written", s.In,
		oneLine(s.style), how, kind)
}

// column is a parameter that a column of the feed fills.
func (s styled) column() (string, error) {
	op, ok := operators[s.In+" "+s.style]
	if !ok {
		return "", s.undefined("")
	}
	if op.named {
		return op.first + s.escape(s.Name) + "={" + s.Name + "}", nil
	}
	return op.first + "{" + s.Name + "}", nil
}
