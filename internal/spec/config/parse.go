package config

import (
	"bytes"
	"errors"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
)

// Parse reads a text; shown is its name in messages. Errors are fail.BadInput: all
// faults at once, a line each, as hone.yaml:12:5: what. A syntax error comes alone.
func Parse(shown string, content []byte) (*Document, error) {
	f := &faults{shown: shown}
	doc := &Document{}
	f.parse(content, doc)
	if err := f.err(); err != nil {
		return nil, err
	}
	return doc, nil
}

func (f *faults) parse(content []byte, doc *Document) {
	if len(content) > MaxBytes {
		f.say(Position{1, 1}, "", "the file is larger than %d kB", MaxBytes>>10)
		return
	}
	content = bytes.TrimPrefix(content, []byte("\ufeff"))
	if f.checkText(content); len(f.list) > 0 {
		return
	}
	// Other line ends confuse the columns of the lexer.
	content = bytes.ReplaceAll(content, []byte("\r\n"), []byte("\n"))
	body := f.body(content)
	if len(f.list) > 0 {
		return
	}
	if body == nil {
		f.say(Position{1, 1}, "hone init writes one; hone init --print shows it", "the file is empty")
		return
	}
	r := &reader{faults: f}
	if !r.document(body, doc) {
		return
	}
	if doc.Version > Version {
		f.list = nil // its other faults may be none
		f.say(r.version, "update hone", "the file is of version %d; this hone reads version %d", doc.Version, Version)
		return
	}
	f.check(doc, r.version)
}

// body parses the text into the tree of its one document; nil if it is empty.
func (f *faults) body(content []byte) (body ast.Node) {
	tokens := f.tokens(content)
	if len(f.list) > 0 {
		return nil
	}
	file, err := parser.Parse(tokens, 0, parser.AllowDuplicateMapKey())
	if err != nil {
		var known yaml.Error
		if errors.As(err, &known) {
			f.say(positionOf(known.GetToken()), "", "%s", oneLine(known.GetMessage()))
		} else {
			f.say(Position{1, 1}, "", "%s", oneLine(err.Error()))
		}
		return nil
	}
	for _, d := range file.Docs {
		if d.Body == nil {
			continue
		}
		if _, comment := d.Body.(*ast.CommentGroupNode); comment {
			continue
		}
		if body != nil {
			f.say(positionOf(d.Body.GetToken()), "keep one document in the file",
				"a second document is not allowed here")
			return nil
		}
		body = d.Body
	}
	return body
}

func oneLine(text string) string {
	text, _, _ = strings.Cut(text, "\n")
	return text
}
