package build

import (
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/exp/trace"

	"github.com/gohone/hone/internal/program/gocommand/toolchaintest"
	"github.com/gohone/hone/internal/program/sqltrace"
	"github.com/gohone/hone/internal/testkit/moduletest"
)

// fakeSQL asks a driver of its own for rows, in all ways that lead to a driver, while it traces itself into the file
// that it is given. Without one it prints how many objects a query allocates, and how long it takes.
const fakeSQL = `package main

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/trace"
	"testing"
	"time"
)

type fake struct{}

func (fake) Open(string) (driver.Conn, error)                { return fake{}, nil }
func (fake) Prepare(string) (driver.Stmt, error)             { return fake{}, nil }
func (fake) Close() error                                    { return nil }
func (fake) Begin() (driver.Tx, error)                       { return fake{}, nil }
func (fake) Commit() error                                   { return nil }
func (fake) Rollback() error                                 { return nil }
func (fake) NumInput() int                                   { return -1 }
func (fake) Exec([]driver.Value) (driver.Result, error)      { return fake{}, nil }
func (fake) Query([]driver.Value) (driver.Rows, error)       { return &rows{}, nil }
func (fake) LastInsertId() (int64, error)                    { return 0, nil }
func (fake) RowsAffected() (int64, error)                    { return 0, nil }

type direct struct{ fake }

func (direct) Open(string) (driver.Conn, error) { return direct{}, nil }
func (direct) ExecContext(context.Context, string, []driver.NamedValue) (driver.Result, error) {
	return fake{}, nil
}
func (direct) QueryContext(context.Context, string, []driver.NamedValue) (driver.Rows, error) {
	return noRows{}, nil
}

type noRows struct{}

func (noRows) Columns() []string         { return nil }
func (noRows) Close() error              { return nil }
func (noRows) Next([]driver.Value) error { return io.EOF }

type rows struct{ n int }

func (*rows) Columns() []string { return []string{"a"} }
func (*rows) Close() error      { return nil }
func (r *rows) Next(to []driver.Value) error {
	if r.n++; r.n > 2 {
		return io.EOF
	}
	time.Sleep(time.Millisecond)
	to[0] = int64(r.n)
	return nil
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

func main() {
	sql.Register("fake", fake{})
	sql.Register("direct", direct{})
	if len(os.Args) == 1 {
		cost()
		return
	}
	to, err := os.Create(os.Args[1])
	must(err)
	must(trace.Start(to))
	db, err := sql.Open("fake", "")
	must(err)
	db.SetMaxOpenConns(1)
	one, err := db.Conn(context.Background())
	must(err)
	go func() {
		for db.Stats().WaitCount == 0 {
			runtime.Gosched()
		}
		one.Close()
	}()
	all, err := db.Query("SELECT a FROM t WHERE s = 'secret'") // waits for the connection
	must(err)
	for all.Next() {
	}
	must(all.Close())
	prepared, err := db.Prepare("SELECT a FROM p WHERE s = $1")
	must(err)
	var n int
	must(prepared.QueryRow("secret").Scan(&n))
	_, err = prepared.Exec("secret")
	must(err)
	tx, err := db.Begin()
	must(err)
	defer tx.Rollback()
	_, err = tx.Exec("UPDATE t SET s = 'secret'")
	must(err)
	must(tx.Commit())
	trace.Stop()
	must(to.Close())
}

func cost() {
	db, err := sql.Open("direct", "")
	must(err)
	r := testing.Benchmark(func(b *testing.B) {
		for i := 0; i < b.N; i++ {
			all, err := db.Query("SELECT a FROM t")
			must(err)
			all.Next()
			all.Close()
		}
	})
	fmt.Println(r.AllocsPerOp(), r.AllocedBytesPerOp(), r.NsPerOp())
}
`

// What a program asks of a driver stands in its trace without values, whichever toolchain builds it: that of the path,
// and those of the module cache, where go allows no overlay by itself.
func TestStatementsStandInTheTraceUnderToolchains(t *testing.T) {
	for _, release := range []string{"local", "go1.25.5", "go1.27.1"} {
		t.Run(release, func(t *testing.T) {
			if release != "local" {
				toolchaintest.Need(t, release)
			}
			dir := moduletest.WriteFiles(t,
				map[string]string{"go.mod": "module example.com/fake\n\ngo 1.24\n", "main.go": fakeSQL})
			b := mustBuild(t, Variant{Name: "A", Source: dir, Toolchain: release}, dir, t.TempDir())
			if len(b.Notes) > 0 {
				t.Errorf("notes %q", b.Notes)
			}
			file := filepath.Join(t.TempDir(), "trace")
			if out, err := exec.Command(b.Path, file).CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			said := saidInTrace(t, file)
			for _, want := range []string{
				sqltrace.Call + "SELECT a FROM t WHERE s = ?", sqltrace.Prepare + "SELECT a FROM p WHERE s = ?",
				sqltrace.Call + "SELECT a FROM p WHERE s = ?",
				sqltrace.Call + "BEGIN", sqltrace.Call + "UPDATE t SET s = ?", sqltrace.Call + "COMMIT", sqltrace.Rows,
				sqltrace.Next, sqltrace.Pool + " 1",
			} {
				if said[want] == 0 {
					t.Errorf("the trace does not say %q, but %q", want, slices.Sorted(maps.Keys(said)))
				}
			}
			if said[sqltrace.Call+"SELECT a FROM p WHERE s = ?"] != 2 || said[sqltrace.Call+"ROLLBACK"] != 0 ||
				said[sqltrace.Next] < 3 {
				t.Errorf("the trace says %v", said)
			}
			for text := range said {
				if strings.Contains(text, "secret") {
					t.Errorf("a value is in the trace: %q", text)
				}
			}
		})
	}
}

// saidInTrace counts the regions of a trace by their names, and its messages by their category, those of the pool with
// their text.
func saidInTrace(t *testing.T, file string) map[string]int {
	t.Helper()
	from, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer from.Close()
	said := map[string]int{}
	r, err := trace.NewReader(from)
	for err == nil {
		var ev trace.Event
		if ev, err = r.ReadEvent(); err != nil {
			break
		}
		switch ev.Kind() {
		case trace.EventRegionBegin:
			said[ev.Region().Type]++
		case trace.EventLog:
			said[ev.Log().Category]++
			if ev.Log().Category == sqltrace.Pool {
				said[sqltrace.Pool+" "+ev.Log().Message]++
			}
		}
	}
	if err != io.EOF {
		t.Fatal(err)
	}
	return said
}

// While no trace runs a statement allocates what it does without hone.
func TestUntracedStatementsAllocateNothing(t *testing.T) {
	dir := moduletest.WriteFiles(t,
		map[string]string{"go.mod": "module example.com/fake\n\ngo 1.24\n", "main.go": fakeSQL})
	allocated := func(bare bool) (objects, bytes, nanos int) {
		b := mustBuild(t, Variant{Name: "A", Source: dir, NoInject: bare}, dir, t.TempDir())
		out, err := exec.Command(b.Path).CombinedOutput()
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		if _, err := fmt.Sscan(string(out), &objects, &bytes, &nanos); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		return objects, bytes, nanos
	}
	objects, bytes, nanos := allocated(false)
	objectsBare, bytesBare, nanosBare := allocated(true)
	if objects != objectsBare || bytes != bytesBare {
		t.Errorf("a query allocates %d objects of %d bytes, and %d of %d without hone", objects, bytes, objectsBare,
			bytesBare)
	}
	t.Logf("a query takes %d ns, and %d ns without hone", nanos, nanosBare)
}

// A build of a program without SQL replaces nothing of the toolchain; nor does one that is to be as the user's own.
func TestOnlyProgramsWithSQLGetAnotherDatabaseSQL(t *testing.T) {
	plain := moduletest.WriteFiles(t, map[string]string{"go.mod": "module example.com/plain\n\ngo 1.24\n",
		"main.go": "package main\n\nfunc main() { println() }\n"})
	with := moduletest.WriteFiles(t,
		map[string]string{"go.mod": "module example.com/fake\n\ngo 1.24\n", "main.go": fakeSQL})
	for _, c := range []struct {
		v    Variant
		want bool
	}{{Variant{Name: "A", Source: plain}, false}, {Variant{Name: "A", Source: with},
		true}, {Variant{Name: "A", Source: with, NoInject: true}, false}} {
		out := t.TempDir()
		mustBuild(t, c.v, c.v.Source, out)
		overlay, err := os.ReadFile(overlayFile(filepath.Join(out, "A")))
		if got := strings.Contains(string(overlay), "database"); got != c.want || c.want && err != nil {
			t.Errorf("%+v: %s, %v", c.v, overlay, err)
		}
	}
}

// A changed database/sql that does not compile is left out, and the build says so: here a toolchain in which a field
// has another name.
func TestADatabaseSQLThatDoesNotCompileIsLeftOut(t *testing.T) {
	local := localGoroot(t)
	dir := moduletest.WriteFiles(t,
		map[string]string{"go.mod": "module example.com/fake\n\ngo 1.24\n", "main.go": fakeSQL})
	goroot := filepath.Join(t.TempDir(), "go")
	linkAll(t, local, goroot, "src")
	linkAll(t, filepath.Join(local, "src"), filepath.Join(goroot, "src"), "database")
	linkAll(t, filepath.Join(local, "src", "database"), filepath.Join(goroot, "src", "database"), "sql")
	for _, name := range []string{"convert.go", "ctxutil.go", "sql.go"} {
		text, err := os.ReadFile(filepath.Join(local, "src", "database", "sql", name))
		if err != nil {
			t.Fatal(err)
		}
		moduletest.WriteFile(t, filepath.Join(goroot, "src", "database", "sql", name),
			strings.ReplaceAll(string(text), "maxOpen", "mostOpen"))
	}
	linkAll(t, filepath.Join(local, "src", "database", "sql"), filepath.Join(goroot, "src", "database", "sql"),
		"convert.go", "ctxutil.go", "sql.go")
	b := mustBuild(t, Variant{Name: "A", Source: dir, Env: []string{"GOROOT=" + goroot, "GOTOOLCHAIN=local"}}, dir,
		t.TempDir())
	if len(b.Notes) != 1 || !strings.Contains(b.Notes[0], "does not compile") || !b.Probed {
		t.Errorf("notes %q", b.Notes)
	}
}

func localGoroot(t *testing.T) string {
	t.Helper()
	out, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}

// linkAll makes a directory whose entries are links to those of another one, but for some.
func linkAll(t *testing.T, from, to string, but ...string) {
	t.Helper()
	entries, err := os.ReadDir(from)
	if err == nil {
		err = os.MkdirAll(to, 0o755)
	}
	for _, e := range entries {
		if err == nil && !slices.Contains(but, e.Name()) {
			err = os.Symlink(filepath.Join(from, e.Name()), filepath.Join(to, e.Name()))
		}
	}
	if err != nil {
		t.Fatal(err)
	}
}
