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
		`SELECT "u"."id" FROM "users" AS "u" WHERE "name" = 'bob'`:                     `SELECT "u"."id" FROM "users" AS "u" WHERE ? = ?`,
		`SELECT "id" FROM "users" WHERE "name" = $1`:                                   `SELECT ? FROM "users" WHERE ? = ?`,
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
	if got := statement.Redact("SELECT " + strings.Repeat("column, ", 100) + "x"); len(got) > 304 ||
		!strings.HasSuffix(got, " ...") {
		t.Errorf("of a long statement: %d bytes, %s", len(got), got)
	}
}

// What stands between double quotes is a value in MySQL and SQLite: it is shown only where every dialect has a name
// there, or where it is the same text as such a name.
func TestDoubleQuotes(t *testing.T) {
	for in, want := range map[string]string{
		`SELECT a FROM t WHERE b = "5ecret" AND c = $1`:                           `SELECT a FROM t WHERE b = ? AND c = ?`,
		`SELECT TRIM(BOTH "x" FROM "5ecret") FROM "t"`:                            `SELECT TRIM(BOTH ? FROM ?) FROM "t"`,
		`SELECT EXTRACT(YEAR FROM "5ecret"), SUBSTRING("abc" FROM 2)`:             `SELECT EXTRACT(YEAR FROM ?), SUBSTRING(? FROM ?)`,
		`SELECT a FROM t WHERE b IS DISTINCT FROM "5ecret"`:                       `SELECT a FROM t WHERE b IS DISTINCT FROM ?`,
		`SELECT a FROM t WHERE b IS NOT DISTINCT FROM "5ecret"`:                   `SELECT a FROM t WHERE b IS NOT DISTINCT FROM ?`,
		`SELECT x FROM (SELECT y FROM "inner") AS z`:                              `SELECT x FROM (SELECT y FROM "inner") AS z`,
		`DELETE FROM "t" WHERE a = "5ecret"`:                                      `DELETE FROM "t" WHERE a = ?`,
		`INSERT INTO "t" ("a", "b") VALUES ("5ecret", $1) RETURNING "a"`:          `INSERT INTO "t" ("a", "b") VALUES (?) RETURNING "a"`,
		`INSERT INTO s."t"("a") SELECT "5ecret"`:                                  `INSERT INTO s."t"("a") SELECT ?`,
		`INSERT INTO t (SELECT "5ecret", "b")`:                                    `INSERT INTO t (SELECT ?)`,
		`INSERT INTO FUNCTION s3("5ecret", "5ecret") SELECT 1`:                    `INSERT INTO FUNCTION s3(?) SELECT ?`,
		`UPDATE "t" SET "a" = $1, "b" = "5ecret" WHERE "c" = "5ecret"`:            `UPDATE "t" SET "a" = ?, "b" = ? WHERE ? = ?`,
		`UPDATE t SET a = f("5ecret", "x" = 2), b = 1`:                            `UPDATE t SET a = f(? = ?), b = ?`,
		`UPDATE t SET a = 1 FROM u WHERE b IN (1, 2) ORDER BY a, "5ecret" = b`:    `UPDATE t SET a = ? FROM u WHERE b IN (?) ORDER BY a, ? = b`,
		`SELECT "o"."id" FROM "o" JOIN "l" ON "l"."o" = "o"."id" WHERE "id" = $1`: `SELECT "o"."id" FROM "o" JOIN "l" ON "l"."o" = "o"."id" WHERE "id" = ?`,
		`SET NAMES "5ecret"`:                           `SET NAMES ?`,
		`SELECT q'[it's 5ecret]', q'[it's]' FROM dual`: `SELECT ...`,
		`SELECT a FROM "my 5ecret" WHERE b = ?`:        `SELECT a FROM ? WHERE b = ?`,
		`LOAD DATA INFILE "5ecret" INTO TABLE t`:       `LOAD DATA INFILE ? INTO TABLE t`,
		`COPY t FROM "5ecret"`:                         `COPY t FROM ?`,
		`SHOW COLUMNS FROM "5ecret"`:                   `SHOW COLUMNS FROM ?`,
		`SELECT _utf8mb4"5ecret", "5ecret" "5ecret"`:   `SELECT _utf8mb4? ?`,
	} {
		if got := statement.Redact(in); got != want {
			t.Errorf("%s:\n got %s\nwant %s", in, got, want)
		}
	}
}

// No literal of a statement survives, in the forms of PostgreSQL, MySQL and SQLite, wherever it stands.
func TestNoLiteralSurvives(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	const secret, number = "5ecret", "90210"
	inner := []string{secret, secret + " --", secret + "/*", secret + " ''", "a;" + secret, "é" + secret, `"` + secret,
		"`" + secret, "$1" + secret, secret + `\n`, "(" + secret + ", 1)"}
	forms := []string{"'%s'", "E'%s'", "N'%s'", "$$%s$$", "$q$%s$q$", `"%s"`, "/* %s */ 1"}
	templates := []string{
		"SELECT a FROM t WHERE b = %s AND c = %s", "INSERT INTO t (a, b) VALUES (%s, %s)",
		"UPDATE t SET a=%s WHERE b IN (%s)",
		"SELECT f(%s)::text || %s", "SELECT a FROM t WHERE b=%s-- end\nORDER BY %s", "CALL p(%s,%s);",
		"SELECT a FROM t WHERE b = %s AND c = $1 AND d IS DISTINCT FROM %s", "SELECT TRIM(LEADING %s FROM %s) FROM t",
		"SELECT EXTRACT(DAY FROM %s), SUBSTRING(%s FROM $2)", "UPDATE t SET a = f(1, %s), b = %s WHERE c = $1",
		"INSERT INTO t (a) SELECT %s, (%s)", "SELECT %s AS x, a FROM t ORDER BY %s",
		"DELETE FROM t WHERE (a, b) = (%s, %s)",
		"SELECT a FROM t WHERE %s = b OR %s LIKE c", "REPLACE INTO t (a, b) VALUES ($1, %s) RETURNING %s",
	}
	literal := func() string {
		if random.IntN(4) == 0 {
			return []string{number, "-" + number, number + ".5", "0x" + number, "1e" + number,
				"." + number}[random.IntN(6)]
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
	for _, in := range []string{"SELECT 1", "'", "$a$", "/*", `"x".y`, "a.5", "1e", "\x00\xff'", "U&'", "IN (1,2),(3)",
		"`", "#>", "@a", ":=", `'\`} {
		f.Add(in)
	}
	f.Fuzz(func(t *testing.T, in string) {
		got := statement.Redact(in)
		if len(got) > 304 || !utf8.ValidString(got) || strings.ContainsAny(got, "'\n\t") {
			t.Errorf("%q: %q", in, got)
		}
		quoted := statement.Redact("SELECT a FROM t WHERE b = '" + strings.NewReplacer("'", "''", `\`, "").Replace(in) +
			"' AND c = 7")
		if quoted != "SELECT a FROM t WHERE b = ? AND c = ?" {
			t.Errorf("as a value %q: %q", in, quoted)
		}
	})
}
