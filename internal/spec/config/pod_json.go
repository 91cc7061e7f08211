package config

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/token"
)

const (
	// mostJSONNodes bounds the memory for a document, to some 40 MB.
	mostJSONNodes = 100_000
	// mostJSONDepth is far more than the objects of Kubernetes have.
	mostJSONDepth = 64
)

// notRead are keys of objects that are large and say nothing of containers.
var notRead = map[string]bool{
	"managedFields": true, "annotations": true, "status": true, "data": true, "binaryData": true, "stringData": true,
}

// looksLikeJSON says whether a text begins as JSON does, and not only as a mapping of YAML in braces.
func looksLikeJSON(text []byte) bool {
	rest := bytes.TrimLeft(text, " \t\n[")
	if inner, ok := bytes.CutPrefix(rest, []byte("{")); ok {
		rest = bytes.TrimLeft(inner, " \t\n")
		return len(rest) > 0 && rest[0] == '"'
	}
	return false
}

// jsonObjects reads the objects of a text of JSON, one after the other or in a list, whatever their layout. The nodes
// are those that the parser of YAML makes, with their places. Else the fault says what is not JSON.
func jsonObjects(text []byte) (all []ast.Node, broken *fault) {
	j := &jsonReader{decoder: json.NewDecoder(bytes.NewReader(text)), text: text, line: 1, column: 1}
	j.decoder.UseNumber()
	for {
		n, err := j.node(0)
		list, isList := n.(*ast.SequenceNode)
		switch {
		case errors.Is(err, io.EOF) && len(all) > 0:
			return all, nil
		case err != nil:
			at := j.place()
			return nil, &fault{at: Position{at.Line, at.Column}, what: oneLine(err.Error())}
		case isList:
			all = append(all, list.Values...)
		default:
			all = append(all, n)
		}
	}
}

// jsonReader makes nodes of the tokens of JSON.
type jsonReader struct {
	decoder *json.Decoder
	text    []byte
	nodes   int
	// line and column are those of the byte at; a column is a character.
	at, line, column int
}

// place is where the next token is.
func (j *jsonReader) place() *token.Position {
	from := min(int(j.decoder.InputOffset()), len(j.text))
	next := len(j.text) - len(bytes.TrimLeft(j.text[from:], " \t\n\r,:"))
	for ; j.at < next; j.at++ {
		switch c := j.text[j.at]; {
		case c == '\n':
			j.line, j.column = j.line+1, 1
		case utf8.RuneStart(c):
			j.column++
		}
	}
	return &token.Position{Line: j.line, Column: j.column}
}

// node reads the next value.
func (j *jsonReader) node(depth int) (ast.Node, error) {
	at := j.place()
	t, err := j.decoder.Token()
	if err != nil {
		return nil, err
	}
	if j.nodes++; j.nodes > mostJSONNodes {
		return nil, fmt.Errorf("the document has over %d values", mostJSONNodes)
	}
	if depth > mostJSONDepth {
		return nil, fmt.Errorf("nested over %d levels deep", mostJSONDepth)
	}
	switch v := t.(type) {
	case json.Delim:
		if v == '[' {
			return j.list(at, depth)
		}
		return j.object(at, depth)
	case nil:
		return ast.Null(token.New("null", "null", at)), nil
	}
	text := fmt.Sprint(t)
	return ast.String(token.String(text, text, at)), nil
}

func (j *jsonReader) list(at *token.Position, depth int) (ast.Node, error) {
	list := ast.Sequence(token.SequenceStart("[", at), true)
	for j.decoder.More() {
		n, err := j.node(depth + 1)
		if err != nil {
			return nil, err
		}
		list.Values = append(list.Values, n)
	}
	_, err := j.decoder.Token()
	return list, err
}

func (j *jsonReader) object(at *token.Position, depth int) (ast.Node, error) {
	object := ast.Mapping(token.MappingStart("{", at), true)
	for j.decoder.More() {
		key, err := j.node(depth + 1)
		if err != nil {
			return nil, err
		}
		name := key.(*ast.StringNode) // the decoder takes no other keys
		if notRead[name.Value] {
			if err := j.skip(); err != nil {
				return nil, err
			}
			continue
		}
		value, err := j.node(depth + 1)
		if err != nil {
			return nil, err
		}
		object.Values = append(object.Values, ast.MappingValue(name.Token, name, value))
	}
	_, err := j.decoder.Token()
	return object, err
}

// skip passes over a value.
func (j *jsonReader) skip() error {
	for open := 0; ; {
		t, err := j.decoder.Token()
		if err != nil {
			return err
		}
		switch t {
		case json.Delim('{'), json.Delim('['):
			open++
		case json.Delim('}'), json.Delim(']'):
			open--
		}
		if open == 0 {
			return nil
		}
	}
}
