package config

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/goccy/go-yaml/lexer"
	"github.com/goccy/go-yaml/token"
)

// MaxBytes is the largest file that is read. The lexer makes up to one token of 200
// bytes of each character, at 0.7 us: this bounds it to 25 ms and 6 MB. A hone.yaml of
// 1,000 lines has about as much.
const MaxBytes = 32 << 10

// maxTokens is the most words and signs in a file. The parser takes quadratic time over
// the keys of a mapping: 20 ms for as many as this allows. A line has three.
const maxTokens = 4000

// maxDepth is the deepest nesting; the format itself has four levels.
const maxDepth = 16

// checkText refuses what is not text that a person would write here.
func (f *faults) checkText(content []byte) {
	if i := invalidUTF8(content); i >= 0 {
		f.say(place(content, i), "save the file as UTF-8", "byte 0x%02x is not UTF-8", content[i])
		return
	}
	if i := bytes.IndexFunc(content, func(r rune) bool {
		return unicode.IsControl(r) && !strings.ContainsRune("\t\n\r", r)
	}); i >= 0 {
		f.say(place(content, i), `write it as an escape in double quotes, such as "\x1b"`, "control character %U",
			rune(content[i]))
		return
	}
	if i := bytes.IndexByte(bytes.ReplaceAll(content, []byte("\r\n"), []byte("\n\n")), '\r'); i >= 0 {
		f.say(place(content, i), "end lines with a line feed", "carriage return without a line feed")
		return
	}
	for line, text := range bytes.Split(content, []byte("\n")) {
		blank := text[:len(text)-len(bytes.TrimLeft(text, " \t"))]
		if i := bytes.IndexByte(blank, '\t'); i >= 0 && len(bytes.TrimSpace(text)) > 0 && text[len(blank)] != '#' {
			f.say(Position{line + 1, i + 1}, "YAML is indented by spaces; replace the tabs", "tab in the indentation")
			return
		}
	}
}

// invalidUTF8 returns the offset of the first byte that is not UTF-8, or -1.
func invalidUTF8(content []byte) int {
	for i := 0; i < len(content); {
		r, n := utf8.DecodeRune(content[i:])
		if r == utf8.RuneError && n == 1 {
			return i
		}
		i += n
	}
	return -1
}

// place is the position of a byte.
func place(content []byte, offset int) Position {
	before := content[:offset]
	start := bytes.LastIndexByte(before, '\n') + 1
	return Position{bytes.Count(before, []byte("\n")) + 1, utf8.RuneCount(before[start:]) + 1}
}

// refused are the parts of YAML that hone.yaml does without: each is a way to make a
// text mean what it does not seem to, or to blow up its reader.
var refused = map[token.Type]string{
	token.AnchorType:      "an anchor (&)",
	token.AliasType:       "an alias (*)",
	token.MergeKeyType:    "a merge key (<<)",
	token.TagType:         "a tag (!)",
	token.DirectiveType:   "a directive (%)",
	token.MappingKeyType:  "a complex key (?)",
	token.DocumentEndType: "an end of document (...)",
}

// tokens splits the text and refuses what must not reach the parser, which calls itself
// for each level and takes quadratic time over rows of anchors and complex keys.
func (f *faults) tokens(content []byte) token.Tokens {
	all := lexer.Tokenize(string(content))
	if len(all) > maxTokens {
		f.say(positionOf(all[maxTokens]), "", "the file has over %d words and signs", maxTokens)
		return nil
	}
	var depth nesting
	for i, t := range all {
		at := positionOf(t)
		if what := refused[t.Type]; what != "" {
			f.say(at, "write the value out, or in quotes if it is meant as text", "%s is not allowed here", what)
			return nil
		}
		if t.Type == token.DocumentHeaderType && i > 0 && all[i-1].Type != token.CommentType {
			f.say(at, "keep one document in the file", "a second document (---) is not allowed here")
			return nil
		}
		if depth.add(t); depth.levels() > maxDepth {
			f.say(at, "", "nested over %d levels deep", maxDepth)
			return nil
		}
	}
	return all
}

// nesting follows how deep a text is nested: open brackets, and the columns of the
// block structure around the token.
type nesting struct {
	flow    int
	columns []int
	line    int
}

func (n *nesting) levels() int { return n.flow + len(n.columns) }

func (n *nesting) add(t *token.Token) {
	switch t.Type {
	case token.SequenceStartType, token.MappingStartType:
		n.flow++
	case token.SequenceEndType, token.MappingEndType:
		n.flow = max(0, n.flow-1)
	case token.CommentType:
		return
	}
	if n.flow > 0 || t.Position == nil {
		return
	}
	first := t.Position.Line != n.line
	n.line = t.Position.Line
	if !first && t.Type != token.SequenceEntryType {
		return // only what begins a line, or an entry in it, opens a block
	}
	for len(n.columns) > 0 && n.columns[len(n.columns)-1] >= t.Position.Column {
		n.columns = n.columns[:len(n.columns)-1]
	}
	n.columns = append(n.columns, t.Position.Column)
}

func positionOf(t *token.Token) Position {
	if t == nil || t.Position == nil {
		return Position{1, 1}
	}
	return Position{max(1, t.Position.Line), max(1, t.Position.Column)}
}
