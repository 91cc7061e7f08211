package config

import (
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/token"

	"github.com/gohone/hone/internal/text/shellwords"
)

// reader fills a Document from a tree, going by the types of the fields.
type reader struct {
	*faults
	version Position // of the value of version; zero if there is none
}

// document says whether the tree has keys at all.
func (r *reader) document(n ast.Node, doc *Document) bool {
	r.value(n, reflect.ValueOf(doc).Elem(), "the file")
	return n.Type() == ast.MappingType || n.Type() == ast.MappingValueType
}

// value reads one node; path says in words where it is.
func (r *reader) value(n ast.Node, into reflect.Value, path string) {
	switch v := into.Addr().Interface().(type) {
	case *Text:
		*v, _ = r.text(n, path)
		return
	case *Command:
		*v = r.command(n, path)
		return
	case *Setting:
		v.Values = r.texts(n, path)
		return
	case *int:
		r.number(n, v, path)
		return
	case *[]Step:
		*v = r.steps(n, path)
		return
	}
	switch into.Kind() {
	case reflect.Struct:
		r.object(n, into, path)
	case reflect.Map:
		r.table(n, into, path)
	case reflect.Slice:
		r.list(n, into, path)
	}
}

// object reads a mapping with known keys.
func (r *reader) object(n ast.Node, into reflect.Value, path string) {
	fields := map[string]reflect.Value{}
	var known []string
	for _, field := range reflect.VisibleFields(into.Type()) {
		if key, _, _ := strings.Cut(field.Tag.Get("json"), ","); key != "" {
			fields[key], known = into.FieldByIndex(field.Index), append(known, key)
		}
	}
	for _, p := range r.pairs(n, path) {
		field, ok := fields[p.key]
		if !ok {
			r.say(p.at, path+" has the keys "+strings.Join(known, ", "), "unknown key %q%s", p.key, meant(p.key, known))
			continue
		}
		if p.key == "version" {
			r.version = nodePosition(p.value, p.at)
		}
		r.value(p.value, field, p.key)
	}
}

// table reads a mapping with keys that the user chose.
func (r *reader) table(n ast.Node, into reflect.Value, path string) {
	pairs := r.pairs(n, path)
	into.Set(reflect.MakeMapWithSize(into.Type(), len(pairs)))
	for _, p := range pairs {
		value := reflect.New(into.Type().Elem()).Elem()
		r.value(p.value, value, path+"."+p.key)
		switch v := value.Addr().Interface().(type) {
		case *Setting:
			v.Key = p.at
		case *Feature:
			v.at = p.at
		case *Need:
			v.at = p.at
		}
		r.checkKey(p, path)
		into.SetMapIndex(reflect.ValueOf(p.key), value)
	}
}

func (r *reader) list(n ast.Node, into reflect.Value, path string) {
	list, ok := n.(*ast.SequenceNode)
	switch {
	case ok && into.Type() == reflect.TypeFor[[]Text]():
		into.Set(reflect.ValueOf(r.entries(list, path)))
		return
	case ok:
		for _, entry := range list.Values {
			one := reflect.New(into.Type().Elem()).Elem()
			r.value(entry, one, path)
			into.Set(reflect.Append(into, one))
		}
		return
	}
	r.say(nodePosition(n, Position{1, 1}), `a list is written ["one", "two"] or with a line "- one" for each`,
		"%s: want a list, found %s", path, kindOf(n))
}

func (r *reader) entries(list *ast.SequenceNode, path string) []Text {
	texts := make([]Text, 0, len(list.Values))
	for _, n := range list.Values {
		if t, ok := r.text(n, path); ok {
			texts = append(texts, t)
		}
	}
	return texts
}

// texts reads one text or a list of them.
func (r *reader) texts(n ast.Node, path string) []Text {
	if list, ok := n.(*ast.SequenceNode); ok {
		return r.entries(list, path)
	}
	if t, ok := r.text(n, path); ok {
		return []Text{t}
	}
	return nil
}

// command reads a list of words, or one line of them.
func (r *reader) command(n ast.Node, path string) Command {
	c := Command{At: nodePosition(n, Position{1, 1})}
	texts := r.texts(n, path)
	if _, list := n.(*ast.SequenceNode); !list && len(texts) == 1 {
		words, err := shellwords.Split(texts[0].Value)
		if err != nil {
			r.say(c.At, "", "%s: %v", path, err)
			return c
		}
		c.Words = words
	} else {
		for _, t := range texts {
			c.Words = append(c.Words, t.Value)
		}
	}
	if texts != nil && (len(c.Words) == 0 || c.Words[0] == "") {
		r.say(c.At, `write a command such as ["go", "generate", "./..."]`, "%s: no command", path)
	}
	return c
}

// text reads a scalar as it is written.
func (r *reader) text(n ast.Node, path string) (Text, bool) {
	t := Text{At: nodePosition(n, Position{1, 1})}
	switch v := n.(type) {
	case *ast.StringNode:
		t.Value = v.Value
	case *ast.LiteralNode:
		t.Value = v.Value.Value
	case *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode, *ast.InfinityNode, *ast.NanNode:
		t.Value = v.GetToken().Value
	case *ast.NullNode:
		r.say(t.At, `an empty text is written ""`, "%s: no value", path)
		return Text{}, false
	default:
		r.say(t.At, "", "%s: want text, found %s", path, kindOf(n))
		return Text{}, false
	}
	if strings.ContainsRune(t.Value, 0) {
		r.say(t.At, "", "%s: a zero byte cannot be passed to a program", path)
		return Text{}, false
	}
	return t, true
}

func (r *reader) number(n ast.Node, into *int, path string) {
	if v, ok := n.(*ast.IntegerNode); ok {
		if number, err := strconv.Atoi(v.GetToken().Value); err == nil {
			*into = number
			return
		}
	}
	*into = -1
	r.say(nodePosition(n, Position{1, 1}), "", "%s: want a number such as 1, found %s", path, kindOf(n))
}

// pair is an entry of a mapping.
type pair struct {
	key   string
	at    Position
	value ast.Node
}

// mappingValues are the entries of a mapping as the parser has them; nil for anything else.
func mappingValues(n ast.Node) []*ast.MappingValueNode {
	switch v := n.(type) {
	case *ast.MappingNode:
		return v.Values
	case *ast.MappingValueNode:
		return []*ast.MappingValueNode{v}
	}
	return nil
}

// pairs returns the entries of a mapping whose keys are plain and differ.
func (r *reader) pairs(n ast.Node, path string) []pair {
	values := mappingValues(n)
	if _, empty := n.(*ast.MappingNode); values == nil && !empty {
		r.say(nodePosition(n, Position{1, 1}), "keys and values are written as key: value, a line each",
			"%s: want keys and values, found %s", path, kindOf(n))
		return nil
	}
	var all []pair
	seen := map[string]Position{}
	for _, v := range values {
		key := v.Key.GetToken()
		p := pair{key.Value, positionOf(key), v.Value}
		if first, twice := seen[p.key]; twice {
			r.say(p.at, "keep one of the two", "duplicate key %q, first at %v", p.key, first)
			continue
		}
		seen[p.key] = p.at
		if p.value == nil || p.value.GetToken().Type == token.ImplicitNullType {
			r.say(p.at, `leave the key out if there is nothing to say; an empty text is written ""`, "%s: no value",
				shortened(p.key))
			continue
		}
		all = append(all, p)
	}
	return slices.Clip(all)
}

// nodePosition is where a value begins; mappings have the token of their first colon.
func nodePosition(n ast.Node, otherwise Position) Position {
	switch v := n.(type) {
	case nil:
		return otherwise
	case *ast.MappingNode:
		if !v.IsFlowStyle && len(v.Values) > 0 {
			return positionOf(v.Values[0].Key.GetToken())
		}
	case *ast.MappingValueNode:
		return positionOf(v.Key.GetToken())
	}
	return positionOf(n.GetToken())
}

// kindOf says in words what a node is.
func kindOf(n ast.Node) string {
	switch v := n.(type) {
	case nil, *ast.NullNode:
		return "nothing"
	case *ast.MappingNode, *ast.MappingValueNode:
		return "keys and values"
	case *ast.SequenceNode:
		return "a list"
	case *ast.StringNode:
		return "text " + shortened(v.Value)
	case *ast.LiteralNode:
		return "a block of text"
	case *ast.BoolNode, *ast.IntegerNode, *ast.FloatNode, *ast.InfinityNode, *ast.NanNode:
		return shortened(n.GetToken().Value)
	}
	return "something else"
}

func shortened(s string) string {
	if len(s) > 40 {
		s = strings.ToValidUTF8(s[:40], "") + "..."
	}
	return strconv.QuoteToASCII(s)
}
