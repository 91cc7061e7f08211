package statement

import "strings"

// This file is also added to database/sql of the programs that hone builds (package sqltrace). It
// imports package strings alone, exports nothing, and needs no more than Go 1.19.

// mostStatement bounds what is left of a statement, in bytes.
const mostStatement = 300

// redactedStatement is a statement without its values: literals, parameters and comments. Lists of
// values are one "?", and so are lists of such lists. What cannot be understood for certain ends in
// "...": dialects differ in what a backslash before a quote means.
func redactedStatement(text string) string {
	l := statementLexer{in: text}
	for l.next() {
	}
	w := statementWriter{tokens: l.tokens}
	if l.unsure {
		w.tokens = l.tokens[:l.certain()]
	}
	w.findNames()
	for i := range w.tokens {
		w.token(i)
	}
	return w.text(l.unsure)
}

type statementKind uint8

const (
	statementWord   statementKind = iota // a keyword, a name, an operator
	statementName                        // between backticks
	statementQuoted                      // between double quotes: a name or, in MySQL and SQLite, a value
	statementValue
)

type statementToken struct {
	kind   statementKind
	text   string
	spaced bool // white space stands before it
}

// statementLexer splits a statement of any dialect.
type statementLexer struct {
	in     string
	at     int
	tokens []statementToken
	// unsure: a quote or a comment has no end, or it is not certain where it ends.
	unsure bool
	spaced bool
}

func (l *statementLexer) add(k statementKind, from, to int) {
	l.tokens = append(l.tokens, statementToken{k, l.in[from:to], l.spaced})
	l.at, l.spaced = to, false
}

// certain is how many tokens stand before the first quote.
func (l *statementLexer) certain() int {
	for i, t := range l.tokens {
		if t.kind != statementWord && strings.ContainsAny(t.text, "'\"`$") {
			return i
		}
	}
	return len(l.tokens)
}

// next reads a token, and says whether there may be more.
func (l *statementLexer) next() bool {
	if l.at >= len(l.in) || l.unsure {
		return false
	}
	rest := l.in[l.at:]
	switch c := rest[0]; {
	case c <= ' ' || c == 0x7f:
		l.at, l.spaced = l.at+1, true
	case strings.HasPrefix(rest, "--"), c == '#' && !strings.HasPrefix(rest, "#>") && !strings.HasPrefix(rest, "#-"):
		l.skipLine()
	case strings.HasPrefix(rest, "/*"):
		l.skipComment()
	case c == '\'':
		l.quoted(statementValue, c)
	case c == '"':
		l.quoted(statementQuoted, c)
	case c == '`':
		l.quoted(statementName, c)
	case c == '$':
		l.dollar()
	case isStatementDigit(c), c == '.' && len(rest) > 1 && isStatementDigit(rest[1]) && !l.afterName():
		l.add(statementValue, l.at, l.number())
	case c == '?':
		l.add(statementValue, l.at, l.wordEnd(l.at+1))
	case strings.HasPrefix(rest, "::"), strings.HasPrefix(rest, ":="):
		l.add(statementWord, l.at, l.at+2)
	case (c == ':' || c == '@') && l.wordEnd(l.at+1) > l.at+1:
		l.add(statementValue, l.at, l.wordEnd(l.at+1))
	case isStatementLetter(c):
		l.word()
	default:
		l.add(statementWord, l.at, l.at+1)
	}
	return true
}

func isStatementDigit(c byte) bool { return c >= '0' && c <= '9' }

func isStatementLetter(c byte) bool {
	return c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}

func (l *statementLexer) wordEnd(at int) int {
	for at < len(l.in) && (isStatementLetter(l.in[at]) || isStatementDigit(l.in[at]) || l.in[at] == '$') {
		at++
	}
	return at
}

// afterName says whether a point follows a name without a space: that of a column, and not of a number.
func (l *statementLexer) afterName() bool {
	n := len(l.tokens)
	return n > 0 && !l.spaced && (l.tokens[n-1].kind != statementWord || isStatementLetter(l.tokens[n-1].text[0]))
}

// word reads a name, or the letters before a string: E'...', X'...', N'...', U&'...'.
func (l *statementLexer) word() {
	end := l.wordEnd(l.at)
	quote := end
	if strings.HasPrefix(l.in[end:], "&'") {
		quote++
	}
	if quote < len(l.in) && l.in[quote] == '\'' {
		prefix := strings.ToLower(l.in[l.at:end])
		l.at = quote
		if prefix == "q" || prefix == "nq" { // Oracle's q'[it's]'
			l.cut()
		}
		return
	}
	l.add(statementWord, l.at, end)
}

// number reads 12, 1.5, .5, 1e-3, 0x1F, 1_000, and letters that stand directly after it.
func (l *statementLexer) number() int {
	at := l.at
	for at < len(l.in) {
		c := l.in[at]
		sign := (c == '+' || c == '-') && at > l.at && (l.in[at-1] == 'e' || l.in[at-1] == 'E') && at+1 < len(l.in) &&
			isStatementDigit(l.in[at+1])
		if !sign && c != '.' && !isStatementDigit(c) && !isStatementLetter(c) {
			break
		}
		at++
	}
	return at
}

func (l *statementLexer) skipLine() {
	end := strings.IndexByte(l.in[l.at:], '\n')
	if end < 0 {
		l.at = len(l.in)
		return
	}
	l.at, l.spaced = l.at+end, true
}

// skipComment skips a comment and those in it: PostgreSQL nests them. Where a dialect does not, the
// statement is cut.
func (l *statementLexer) skipComment() {
	depth, at := 0, l.at
	for at < len(l.in) {
		switch {
		case strings.HasPrefix(l.in[at:], "/*"):
			depth, at = depth+1, at+2
		case strings.HasPrefix(l.in[at:], "*/"):
			depth, at = depth-1, at+2
		default:
			at++
		}
		if depth == 0 {
			l.at, l.spaced = at, true
			return
		}
	}
	l.unsure = true
}

// quoted reads up to the closing quote; two of them are one in the text.
func (l *statementLexer) quoted(k statementKind, quote byte) {
	for at := l.at + 1; at < len(l.in); at++ {
		switch {
		case l.in[at] == '\\' && k != statementName && at+1 < len(l.in) && strings.IndexByte("'\"\\", l.in[at+1]) >= 0:
			l.cut()
			return
		case l.in[at] != quote:
		case at+1 < len(l.in) && l.in[at+1] == quote:
			at++
		default:
			l.add(k, l.at, at+1)
			return
		}
	}
	l.cut()
}

// cut ends the statement before a quote.
func (l *statementLexer) cut() {
	l.add(statementValue, l.at, len(l.in))
	l.unsure = true
}

// dollar reads $1, or a string between $$ or $tag$.
func (l *statementLexer) dollar() {
	end := l.at + 1
	for end < len(l.in) && l.in[end] != '$' && (isStatementLetter(l.in[end]) || isStatementDigit(l.in[end])) {
		end++
	}
	if end > l.at+1 && isStatementDigit(l.in[l.at+1]) {
		l.add(statementValue, l.at, end)
		return
	}
	if end == len(l.in) || l.in[end] != '$' {
		l.add(statementValue, l.at, end) // $name of SQLite
		return
	}
	tag := l.in[l.at : end+1]
	close := strings.Index(l.in[end+1:], tag)
	if close < 0 {
		l.cut()
		return
	}
	l.add(statementValue, l.at, end+1+close+len(tag))
}

// statementWriter writes the tokens of a statement.
type statementWriter struct {
	tokens []statementToken
	// names are the tokens in double quotes that are names in every dialect, by their places.
	names map[int]bool
	out   []byte
}

func (w *statementWriter) token(i int) {
	t := w.tokens[i]
	text := t.text
	if t.kind == statementValue || t.kind != statementWord && !w.names[i] {
		text = "?"
	}
	if text == "?" && w.ends("?,") {
		w.out = w.out[:len(w.out)-1] // one value of a list stands for all
		return
	}
	if (t.spaced || w.ends(",")) && text != "," && text != ")" && !w.ends("(") && len(w.out) > 0 {
		w.out = append(w.out, ' ')
	}
	w.out = append(w.out, text...)
	if w.ends("(?), (?)") {
		w.out = w.out[:len(w.out)-len(", (?)")]
	}
}

func (w *statementWriter) ends(with string) bool { return strings.HasSuffix(string(w.out), with) }

// text is what was written, within bounds.
func (w *statementWriter) text(cut bool) string {
	text := strings.ToValidUTF8(strings.TrimRight(string(w.out), "; "), "")
	if len(text) > mostStatement {
		text, cut = strings.ToValidUTF8(text[:mostStatement], ""), true
	}
	if cut {
		text = strings.TrimRight(text, " ") + " ..."
	}
	return strings.TrimLeft(text, " ")
}
