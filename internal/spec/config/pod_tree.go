package config

import (
	"slices"

	"github.com/goccy/go-yaml/ast"
)

// keys are the entries of a mapping; none of what is missing.
func (r *reader) keys(n ast.Node) map[string]ast.Node {
	all := map[string]ast.Node{}
	if n == nil || n.Type() == ast.NullType {
		return all
	}
	for _, v := range mappingValues(n) {
		all[v.Key.GetToken().Value] = v.Value
	}
	if _, empty := n.(*ast.MappingNode); len(all) == 0 && !empty {
		r.say(nodePosition(n, Position{1, 1}), "", "want keys and values, found %s", kindOf(n))
	}
	return all
}

// items are the entries of a list; none of what is missing.
func (r *reader) items(n ast.Node) []ast.Node {
	if n == nil || n.Type() == ast.NullType {
		return nil
	}
	list, ok := n.(*ast.SequenceNode)
	if !ok {
		r.say(nodePosition(n, Position{1, 1}), "", "want a list, found %s", kindOf(n))
		return nil
	}
	return slices.DeleteFunc(slices.Clone(list.Values), func(n ast.Node) bool { return n == nil })
}

// word is a scalar as it is written; empty for what is missing.
func (r *reader) word(n ast.Node) string {
	if n == nil || n.Type() == ast.NullType {
		return ""
	}
	t, _ := r.text(n, "the value")
	return t.Value
}
