package sql

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/gohone/hone/bench/bed"
	"github.com/gohone/hone/internal/insight/advice"
	"github.com/gohone/hone/internal/insight/code"
	"github.com/gohone/hone/internal/insight/walltime"
)

// corpus are the services.
func corpus(t *testing.T) []*service {
	t.Helper()
	all, err := openCorpus("1")
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func serviceOf(t *testing.T, name string) *service {
	t.Helper()
	all := corpus(t)
	i := slices.IndexFunc(all, func(s *service) bool { return s.Name == name })
	if i < 0 {
		t.Fatalf("no service %q", name)
	}
	return all[i]
}

// Each kind has two services, slow statements have six, and there are eight decoys. Half of each are closed.
func TestCorpus(t *testing.T) {
	n := map[kind][2]int{}
	for _, s := range corpus(t) {
		of := n[s.kind]
		of[map[bool]int{true: 1}[s.Closed]]++
		n[s.kind] = of
	}
	for _, k := range kinds {
		want := [2]int{1, 1}
		switch k {
		case slowStatement:
			want = [2]int{3, 3}
		case decoy:
			want = [2]int{4, 4}
		}
		if n[k] != want {
			t.Errorf("%s: %v open and closed, want %v", k, n[k], want)
		}
	}
	if n := len(tasks(corpus(t), nil)); n != 2*(12*2+8) {
		t.Errorf("%d trials, want 64", n)
	}
}

func TestNormal(t *testing.T) {
	for said, of := range map[string]string{
		"SELECT name FROM users WHERE id = ?":                  "select name\n\tfrom users where id = $1;",
		"INSERT INTO readings VALUES (?)":                      "insert into readings values ($1, $2, $3)",
		"update accounts set cents = cents + ? where name = ?": "update accounts set cents = cents + 5 where name = 'it''s'",
		"select page from visits order by at desc limit ?":     "select page from visits order by at desc limit 10",
	} {
		if normal(said) != normal(of) {
			t.Errorf("%q is not %q", normal(said), normal(of))
		}
	}
	if normal("select a from t1") == normal("select a from t2") {
		t.Error("two tables are the same")
	}
}

// line is the first line of the truth of a service that has a statement, or has none.
func (s *service) line(withStatement bool) int {
	for _, t := range s.truths {
		if (t.Statement != "") == withStatement {
			return t.Line
		}
	}
	return 0
}

func TestJudge(t *testing.T) {
	orders, ledger, tickets := serviceOf(t, "orders"), serviceOf(t, "ledger"), serviceOf(t, "tickets")
	const ordersSQL, updateSQL = "SELECT name FROM customers WHERE id = ?", "update accounts set cents = cents + ? where id = ?"
	says := func(k kind, file string, line int, sql ...string) statement {
		return statement{Kind: k, SQL: sql, File: "/x/services/" + file, Line: line}
	}
	for what, c := range map[string]struct {
		of    *service
		fixed bool
		said  []statement
		named bool
		wrong int
	}{
		"all is right":                          {orders, false, []statement{says(manyQueries, "orders.go", orders.line(true), ordersSQL)}, true, 0},
		"another line":                          {orders, false, []statement{says(manyQueries, "orders.go", 3, ordersSQL)}, false, 0},
		"another file":                          {orders, false, []statement{says(manyQueries, "forum.go", orders.line(true), ordersSQL)}, false, 0},
		"another statement":                     {orders, false, []statement{says(manyQueries, "orders.go", orders.line(true), "select 1")}, false, 1},
		"no statement":                          {orders, false, []statement{says(manyQueries, "orders.go", orders.line(true))}, false, 0},
		"line and statement of two":             {orders, false, []statement{says(manyQueries, "orders.go", orders.line(true)), says(manyQueries, "orders.go", 3, ordersSQL)}, false, 0},
		"another kind":                          {orders, false, []statement{says(slowStatement, "orders.go", orders.line(true), ordersSQL)}, false, 1},
		"the kind, and another":                 {orders, false, []statement{says(manyQueries, "orders.go", orders.line(true), ordersSQL), says(smallPool, "orders.go", 3)}, true, 1},
		"nothing":                               {orders, false, nil, false, 0},
		"fixed, and it is said":                 {orders, true, []statement{says(manyQueries, "orders.go", orders.line(true), ordersSQL)}, false, 1},
		"fixed, and nothing is said":            {orders, true, nil, false, 0},
		"a pool at its size":                    {tickets, false, []statement{says(smallPool, "tickets.go", tickets.line(false))}, true, 0},
		"a pool at the statement":               {tickets, false, []statement{says(smallPool, "tickets.go", tickets.line(true), "select place from seats")}, true, 0},
		"a transaction at its begin":            {ledger, false, []statement{says(longTransaction, "ledger.go", ledger.line(false), updateSQL)}, true, 0},
		"a slow statement, which waits instead": {ledger, false, []statement{says(slowStatement, "ledger.go", ledger.line(true), updateSQL)}, false, 1},
		"a decoy":                               {serviceOf(t, "intake"), false, []statement{says(manyQueries, "intake.go", 3)}, false, 1},
	} {
		one := task{c.of, sqlite, c.fixed}
		j, ok := judgeTrial(one, record{key: one.key(), Said: c.said})
		if !ok || j.Named != c.named || len(j.False) != c.wrong {
			t.Errorf("%s: judged %v: %+v", what, ok, j)
		}
	}
}

// What has no result counts against a defect, and not for a fixed service.
func TestJudgeNothing(t *testing.T) {
	orders := serviceOf(t, "orders")
	for _, c := range []struct {
		fixed bool
		r     record
		want  bool
	}{
		{false, record{Failed: "why"}, true}, {true, record{Failed: "why"}, false}, {false, record{Missing: "no PostgreSQL"}, false},
	} {
		one := task{orders, postgres, c.fixed}
		c.r.key = one.key()
		if _, ok := judgeTrial(one, c.r); ok != c.want {
			t.Errorf("%+v: judged %v", c.r, ok)
		}
	}
	if _, ok := judgeTrial(task{orders, sqlite, false}, record{}); ok {
		t.Error("judged without a record")
	}
}

// The closed half has sums, and its services only if they are asked for. What is not installed is said.
func TestDocument(t *testing.T) {
	all := corpus(t)
	var records []record
	for _, one := range tasks(all, nil) {
		r := record{key: one.key()}
		if one.Database == postgres {
			r.Missing = "no postgres here"
		} else if one.defect() {
			r.Said = []statement{{Kind: one.kind, SQL: one.statements(), File: one.truths[0].File, Line: one.truths[0].Line}}
		}
		records = append(records, r)
	}
	for _, shown := range []bool{false, true} {
		result := new(bed.Result)
		config{closed: shown}.write(result, last(records), all)
		text := result.Text()
		for _, want := range []string{
			"open half of the services with a database: its kind is named: 6 of 6", "closed half of the services with a database: its kind is named: 6 of 6",
			"decoys of which something is said: 0 of 4", "32 trials with PostgreSQL were left out: no postgres here.",
		} {
			if !strings.Contains(text, want) {
				t.Errorf("want %q in\n%s", want, text)
			}
		}
		for _, s := range all {
			if s.Closed && strings.Contains(text, s.Name+" ") != shown {
				t.Errorf("closed %v, and %s:\n%s", shown, s.Name, text)
			}
		}
	}
}

// A later session of another version measures again, and so does one after a failure or with a database that was missing.
func TestHas(t *testing.T) {
	session := func(version string) record { return record{Entry: bed.Entry{Session: &bed.Session{Hone: version}}} }
	of := func(name string) key { return key{name, sqlite, false} }
	done := has([]record{session("old"), {key: of("orders")}, session("new"), {key: of("forum")}, {key: of("kiosk"), Failed: "why"}, {key: of("intake"), Missing: "no"}}, bed.OfVersion("new"))
	for name, want := range map[string]bool{"orders": false, "forum": true, "kiosk": false, "intake": false} {
		if done[of(name)] != want {
			t.Errorf("%s: %v", name, !want)
		}
	}
}

// A finding is read with its kind and the statements of the requests that it shows; what is about something else is left out.
func TestRead(t *testing.T) {
	tail := []walltime.Statement{{Text: "SELECT name FROM users WHERE id = ?"}, {Text: "BEGIN"}}
	at := code.Place{File: "/x/shop.go", Line: 7}
	all := []advice.Finding{
		{Rule: "n-plus-one", Title: "one statement is called 9 times in one request", Place: at, Evidence: []advice.Evidence{{Text: "9 calls, 1 ms each: SELECT name FROM users WHERE id = ?"}}},
		{Rule: "slow-statement", Title: "one statement takes 3 ms: BEGIN", Place: at},
		{Rule: "small-pool", Title: "requests wait for a connection of the pool of database/sql (MaxOpenConns is 2)", Place: at},
		{Rule: "small-pool", Title: "requests wait for a worker", Place: at},
		{Rule: "call-in-loop", Via: "sql.(*DB).QueryRowContext", Place: at},
		{Rule: "call-in-loop", Via: "http.(*Client).Do", Place: at},
		{Rule: "sleep-in-path", Title: "requests sleep", Place: at},
	}
	want := []statement{
		{manyQueries, []string{"SELECT name FROM users WHERE id = ?"}, "/x/shop.go", 7, "n-plus-one"}, {slowStatement, []string{"BEGIN"}, "/x/shop.go", 7, "slow-statement"},
		{smallPool, nil, "/x/shop.go", 7, "small-pool"}, {manyQueries, nil, "/x/shop.go", 7, "call-in-loop"},
	}
	if got := read(all, tail); !reflect.DeepEqual(got, want) {
		t.Errorf("read %v, want %v", got, want)
	}
}
