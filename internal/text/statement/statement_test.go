package statement_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/gohone/hone/internal/text/statement"
)

func TestRedact(t *testing.T) {
	for in, want := range map[string]string{
		"SELECT id, name FROM orders WHERE id = $1":                                    "SELECT id, name FROM orders WHERE id = ?",
		"select *\n\tfrom t -- secret's\n where a = 'it''s' and b=.5e-3 and c = 0x1F;": "select * from t where a = ? and b=? and c = ?",
		"SELECT a FROM t WHERE id IN (1, 2,\n3)":                                       "SELECT a FROM t WHERE id IN (?)",
		"INSERT INTO t (a, b) VALUES (?, ?), ( ?,? ), (1, 'x')":                        "INSERT INTO t (a, b) VALUES (?)",
		`SELECT "u"."id" FROM "users" AS "u" WHERE "name" = 'bob'`:                     `SELECT "u"."id" FROM "users" AS ? WHERE ? = ?`,
		`SELECT "id" FROM "users" WHERE "name" = $1`:                                   `SELECT "id" FROM "users" WHERE "name" = ?`,
		"SELECT `id` FROM `users` WHERE name = \"bob\"":                                "SELECT `id` FROM `users` WHERE name = ?",
		"SELECT t1.col2, x.y2 FROM t1 LIMIT 10 OFFSET 20":                              "SELECT t1.col2, x.y2 FROM t1 LIMIT ? OFFSET ?",
		"SELECT $$a'b$$, $tag$x$$y$tag$, E'z', X'ff', U&'q', now()::date":              "SELECT ?, now()::date",
		"UPDATE t SET a = :name, b = @p1, n = n + 1 /* who /* why */ */ WHERE c":       "UPDATE t SET a = ?, b = ?, n = n + ? WHERE c",
		`SELECT a FROM t WHERE a = 'x\' AND b = 'secret'`:                              "SELECT a FROM t WHERE a = ...",
		"SELECT a FROM t WHERE b = 'secret":                                            "SELECT a FROM t WHERE b = ...",
		"SELECT a->>'k', b #> '{1}' FROM t":                                            "SELECT a->>?, b #> ? FROM t",
		"BEGIN":                                                                        "BEGIN",
		"":                                                                             "",
		"'only'":                                                                       "?",
		"'unfinished":                                                                  "...",
	} {
		if got := statement.Redact(in); got != want {
			t.Errorf("%s:\n got %s\nwant %s", in, got, want)
		}
	}
	if got := statement.Redact("SELECT " + strings.Repeat("column, ", 100) + "x"); len(got) > 304 || !strings.HasSuffix(got, " ...") {
		t.Errorf("of a long statement: %d bytes, %s", len(got), got)
	}
}

// No literal of a statement survives, in the forms of PostgreSQL, MySQL and SQLite, wherever it stands.
func TestNoLiteralSurvives(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	const secret, number = "5ecret", "90210"
	inner := []string{secret, secret + " --", secret + "/*", secret + " ''", "a;" + secret, "é" + secret, `"` + secret, "`" + secret, "$1" + secret, secret + `\n`, "(" + secret + ", 1)"}
	forms := []string{"'%s'", "E'%s'", "N'%s'", "$$%s$$", "$q$%s$q$", `"%s"`, "/* %s */ 1"}
	templates := []string{
		"SELECT a FROM t WHERE b = %s AND c = %s", "INSERT INTO t (a, b) VALUES (%s, %s)", "UPDATE t SET a=%s WHERE b IN (%s)",
		"SELECT f(%s)::text || %s", "SELECT a FROM t WHERE b=%s-- end\nORDER BY %s", "CALL p(%s,%s);",
	}
	literal := func() string {
		if random.IntN(4) == 0 {
			return []string{number, "-" + number, number + ".5", "0x" + number, "1e" + number, "." + number}[random.IntN(6)]
		}
		form, text := forms[random.IntN(len(forms))], inner[random.IntN(len(inner))]
		switch form[0] { // what ends the form does not stand in it by itself
		case '"':
			text = strings.ReplaceAll(text, `"`, `""`)
		case '/':
			text = strings.ReplaceAll(text, "/*", "")
		}
		return fmt.Sprintf(form, text)
	}
	for range 20000 {
		in := fmt.Sprintf(templates[random.IntN(len(templates))], literal(), literal())
		if got := statement.Redact(in); strings.Contains(got, secret) || strings.Contains(got, number) {
			t.Fatalf("%s: %s", in, got)
		}
	}
}

// Redact ends, its text is bounded and valid, and redacting it again changes no value into another text.
func FuzzRedact(f *testing.F) {
	for _, in := range []string{"SELECT 1", "'", "$a$", "/*", `"x".y`, "a.5", "1e", "\x00\xff'", "U&'", "IN (1,2),(3)", "`", "#>", "@a", ":=", `'\`} {
		f.Add(in)
	}
	f.Fuzz(func(t *testing.T, in string) {
		got := statement.Redact(in)
		if len(got) > 304 || !utf8.ValidString(got) || strings.ContainsAny(got, "'\n\t") {
			t.Errorf("%q: %q", in, got)
		}
		quoted := statement.Redact("SELECT a FROM t WHERE b = '" + strings.NewReplacer("'", "''", `\`, "").Replace(in) + "' AND c = 7")
		if quoted != "SELECT a FROM t WHERE b = ? AND c = ?" {
			t.Errorf("as a value %q: %q", in, quoted)
		}
	})
}
