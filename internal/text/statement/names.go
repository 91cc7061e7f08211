package statement

import "strings"

// This file is also added to database/sql of the programs that hone builds: see redact.go.
//
// What stands between double quotes is a name in standard SQL, and a value in MySQL and SQLite. It is shown only where
// every dialect takes it for a name, or where it is the same text as such a name.

// statementScope is what is known of a statement, or of a part of it between parentheses.
type statementScope struct {
	selects bool // it is a query, so that FROM is followed by a table, and not by an argument as in TRIM(BOTH FROM "x")
	sets    bool // it is at the columns of SET
	columns bool // it lists the columns of an INSERT
}

// findNames finds the tokens between quotes that are names.
func (w *statementWriter) findNames() {
	w.names = map[int]bool{}
	known := map[string]bool{}
	scopes := []statementScope{{}}
	for i := range w.tokens {
		t := &w.tokens[i]
		scope := &scopes[len(scopes)-1]
		switch {
		case t.kind == statementName || t.kind == statementQuoted:
			if statementInner(t) != "" && (t.kind == statementName || w.isName(i, scope)) {
				w.names[i], known[statementInner(t)] = true, true
			}
		case t.text == "(":
			scopes = append(scopes, statementScope{columns: w.followsTarget(i)})
		case t.text == ")":
			if len(scopes) > 1 {
				scopes = scopes[:len(scopes)-1]
			}
		default:
			scope.word(strings.ToUpper(t.text))
		}
	}
	for i := range w.tokens {
		if t := &w.tokens[i]; t.kind == statementQuoted && known[statementInner(t)] {
			w.names[i] = true
		}
	}
}

func (s *statementScope) word(upper string) {
	switch upper {
	case "SELECT":
		*s = statementScope{selects: true}
	case "SET":
		s.sets = true
	case "FROM", "WHERE", "RETURNING", "ORDER", "LIMIT", "ON", ";":
		s.sets = false
	}
}

// statementInner is what stands between quotes, if it has the letters of a name; else it is empty.
func statementInner(t *statementToken) string {
	inner := t.text[1 : len(t.text)-1]
	for at := 0; at < len(inner); at++ {
		if c := inner[at]; !isStatementLetter(c) && !isStatementDigit(c) {
			return ""
		}
	}
	return inner
}

// isName says that what stands between double quotes is a name in every dialect.
func (w *statementWriter) isName(i int, scope *statementScope) bool {
	before, next := w.upper(i-1), w.upper(i+1)
	switch before {
	case ".", "JOIN", "INTO", "UPDATE", "TABLE", "SET":
		return true
	case "FROM":
		return w.upper(i-2) == "DELETE" || scope.selects && w.upper(i-2) != "DISTINCT" // IS DISTINCT FROM "x"
	}
	listed := before == "(" || before == ","
	return next == "." || scope.columns && listed && (next == "," || next == ")") ||
		scope.sets && before == "," && next == "="
}

// followsTarget says that token i follows INTO and the name of a table, so that columns may follow.
func (w *statementWriter) followsTarget(i int) bool {
	for i--; i >= 1 && w.isWord(i); i -= 2 {
		if w.upper(i-1) == "INTO" {
			return true
		}
		if w.upper(i-1) != "." {
			return false
		}
	}
	return false
}

// isWord says that a token may be a part of the name of a table.
func (w *statementWriter) isWord(i int) bool {
	t := &w.tokens[i]
	return t.kind == statementName || t.kind == statementQuoted ||
		t.kind == statementWord && isStatementLetter(t.text[0])
}

// upper is a word or sign in capitals; empty for what is none, and outside of the statement.
func (w *statementWriter) upper(i int) string {
	if i < 0 || i >= len(w.tokens) || w.tokens[i].kind != statementWord {
		return ""
	}
	return strings.ToUpper(w.tokens[i].text)
}
