package sql

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
)

// statement is one thing that hone says of how a service uses its database.
type statement struct {
	Kind kind `json:"kind"`
	// SQL are the SQL statements that it names, without values.
	SQL  []string `json:"sql,omitempty"`
	File string   `json:"file,omitempty"`
	Line int      `json:"line,omitempty"`
	// By is hone's command and the word that it has for the kind.
	By string `json:"by"`
}

// String is what hone says as a report has it.
func (s statement) String() string {
	return fmt.Sprintf("%s (%s) at %s:%d: %s", s.Kind, s.By, filepath.Base(s.File), s.Line, strings.Join(s.SQL, "; "))
}

// judgement is what became of one trial.
type judgement struct {
	task
	// Kind, Statement and Line say that one of hone's statements has the kind of the defect, the kind and the SQL statement, the kind
	// and a line of the defect. Named is all of it in one.
	Kind, Statement, Line, Named bool
	False                        []statement
	// Tail says that the SQL statement that takes most of typical or slow requests is that of the defect, at one of its lines; nil where
	// the defect is not one of a statement, or there is none.
	Tail *bool
}

// judgeTrial holds what hone said against the truth. A defect without a result does not count as named; other trials are then not judged:
// they would else count as right.
func judgeTrial(t task, r record) (j judgement, ok bool) {
	j = judgement{task: t}
	if r.Missing != "" || r.Failed != "" && !t.defect() || r.Service == "" {
		return j, false
	}
	for _, s := range r.Said {
		if !t.defect() || s.Kind != t.kind {
			j.False = append(j.False, s)
			continue
		}
		sql, line := t.isStatement(s), t.isAt(s)
		if !sql && len(s.SQL) > 0 {
			j.False = append(j.False, s)
		}
		j.Kind, j.Statement, j.Line = true, j.Statement || sql, j.Line || line
		j.Named = j.Named || sql && line
	}
	if t.defect() && (t.kind == manyQueries || t.kind == slowStatement) {
		is := len(r.Tail) > 0 && t.isStatement(statement{SQL: []string{r.Tail[0].Text}}) && t.isAt(statement{File: r.Tail[0].File, Line: r.Tail[0].Line})
		j.Tail = &is
	}
	return j, true
}

// isStatement says whether one of the SQL statements is one of the defect. A small pool has none of its own: any is right.
func (t task) isStatement(s statement) bool {
	if t.kind == smallPool {
		return true
	}
	return slices.ContainsFunc(s.SQL, func(said string) bool {
		return slices.ContainsFunc(t.statements(), func(of string) bool { return normal(of) == normal(said) })
	})
}

// isAt says whether a place is a line of the defect.
func (t task) isAt(s statement) bool {
	return slices.ContainsFunc(t.truths, func(of truth) bool { return of.File == filepath.Base(s.File) && of.Line == s.Line })
}
