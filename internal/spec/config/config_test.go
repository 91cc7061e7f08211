package config

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/gohone/hone/internal/program/build"
	"github.com/gohone/hone/internal/program/needs"
	"github.com/gohone/hone/internal/text/fail"
)

func TestEveryKeyIsRead(t *testing.T) {
	f, err := Read(filepath.Join("testdata", "full.yaml"), "hone.yaml")
	if err != nil {
		t.Fatal(err)
	}
	here, _ := filepath.Abs("testdata")
	if f.Dir != here || f.Path != filepath.Join(here, "full.yaml") {
		t.Errorf("read from %s in %s", f.Path, f.Dir)
	}
	server := filepath.Join(here, "cmd", "server")
	base := Resolved{
		Variant: build.Variant{Name: "subject", Source: server, Args: []string{"-addr", "127.0.0.1:{port}", "-n", "10"},
			Env: []string{"DEBUG=true", "GOGC=100"}, Toolchain: "go1.26.8", BuildFlags: []string{"-tags=prod"},
			Prepare: []string{"go", "generate", "./with space/..."}, AfterStart: []string{"./seed", "--at", "{port}"}},
		Copy: []string{"testdata/db", "config"}, Base: here,
	}
	raw, other, tuned, bare := base, base, base, base
	raw.Name, raw.Args = "raw", []string{"-stage", "raw"}
	other.Name, other.Source = "main", "main:"+f.insideRepository("./cmd/server")
	tuned.Name, tuned.Env, tuned.BuildFlags = "tuned", []string{"DEBUG=true", "GOGC=400"}, []string{"-pgo=auto"}
	tuned.Prepare, tuned.AfterStart = []string{"make", "gen"}, []string{"sh", "-c", "seed"}
	bare.Name, bare.Args, bare.BuildFlags = "bare", []string{}, []string{}
	for _, want := range []Resolved{base, raw, other, tuned, bare} {
		if got, err := f.Variant(want.Name); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("variant %s\n got %+v %v\nwant %+v", want.Name, got, err, want)
		}
		if !f.Has(want.Name) {
			t.Errorf("no variant %s", want.Name)
		}
	}
	if got := fmt.Sprint(f.Names(), f.Gates, f.Baseline, f.Subject.Target); got !=
		"[bare main raw tuned] [cpu<+2% p99<+5%] main http://127.0.0.1:{port}/" {
		t.Error(got)
	}
	if got, want := f.Needs("/here"), []needs.Need{
		{Name: "zdb", Command: []string{"./my db", "-p", "{port}"}, Env: []string{"LC_ALL=C"}, Dir: "/here",
			Ready: "port:{port}", ReadyTimeout: time.Minute},
		{Name: "cache", Command: []string{"redis-server", "--port", "{port}", "--db", "{zdb.port}"}, Dir: "/here",
			Each: true},
	}; !reflect.DeepEqual(got, want) {
		t.Errorf("needs %+v\nwant %+v", got, want)
	}
	if s := f.Subject; fmt.Sprint(s.Ready, s.ReadyTimeout, s.AfterStartTimeout) != "log:listening 20s 2m" {
		t.Error(s.Ready, s.ReadyTimeout, s.AfterStartTimeout)
	}
	env, args, tags := f.Features["metrics"].Off()
	if got := fmt.Sprint(f.FeatureNames(), env, args,
		tags); got != "[compression logging metrics] [A=1 B=2] [] [nometrics slim]" {
		t.Error(got)
	}
	if got := strings.Join(f.Offs(),
		"\n"); got != "without compression:\n  COMPRESS=off\nwithout logging:\n  -quiet -log=none\nwithout metrics:\n  A=1 B=2\n  go build -tags=nometrics,slim" {
		t.Error(got)
	}
	plan, err := f.Plan("")
	if err != nil {
		t.Fatal(err)
	}
	if got, want := plan.CommandLine(),
		"--connections=100 --depth=16 --rate=1k '--header=X: y' '--header=Y: z' --http2=true"; got != want {
		t.Errorf("plan %s, want %s", got, want)
	}
	if at := plan["rate"].Key; at != (Position{39, 5}) {
		t.Errorf("rate is at %v", at)
	}
	if at := plan["header"].Values[1].At; at != (Position{42, 9}) {
		t.Errorf("the second header is at %v", at)
	}
}

func TestUnknownNamesAreAnswered(t *testing.T) {
	f, err := Read(filepath.Join("testdata", "full.yaml"), "hone.yaml")
	if err != nil {
		t.Fatal(err)
	}
	_, err = f.Variant("tunde")
	if got := fmt.Sprint(err, "|",
		fail.HintOf(err)); got != `hone.yaml has no variant "tunde" (did you mean "tuned"?)|its variants are bare, main, raw, tuned, subject` {
		t.Error(got)
	}
	_, err = f.Plan("paek")
	if got := fmt.Sprint(err, "|",
		fail.HintOf(err)); got != `hone.yaml has no plan "paek" (did you mean "peak"?)|its plans are default, peak` {
		t.Error(got)
	}
}

// faulty are texts with what is said about them, a line for each fault.
var faulty = []struct{ name, text, want string }{
	{"unknown key", "version: 1\nsubjct: {package: .}\n", `2:1: unknown key "subjct" (did you mean "subject"?)`},
	{"all faults at once", "version: 1\nsubject:\n  packge: .\n  args: 3\n  env: [A]\nbaseline: {}\n",
		"3:3: unknown key \"packge\" (did you mean \"package\"?)\n4:9: args: want a list, found \"3\"\n5:8: env: want keys and values, found a list\n6:11: baseline: want text, found keys and values"},
	{"duplicate key", "version: 1\nsubject: {package: a, package: b}\nversion: 1\n",
		"2:23: duplicate key \"package\", first at 2:11\n3:1: duplicate key \"version\", first at 1:1"},
	{"duplicate name", "version: 1\nvariants:\n  a: {package: x}\n  a: {package: y}\n",
		`4:3: duplicate key "a", first at 3:3`},
	{"alias", "version: 1\nsubject: {package: *a}\n", "2:20: an alias (*) is not allowed here"},
	{"anchor", "version: 1\nsubject: &a {package: .}\n", "2:10: an anchor (&) is not allowed here"},
	{"merge key", "version: 1\n<<: {version: 2}\n", "2:1: a merge key (<<) is not allowed here"},
	{"tag", "version: 1\nbaseline: !!binary aGk=\n", "2:11: a tag (!) is not allowed here"},
	{"complex key", "? version\n: 1\n", "1:1: a complex key (?) is not allowed here"},
	{"second document", "version: 1\n---\nversion: 1\n", "2:1: a second document (---) is not allowed here"},
	{"tab", "version: 1\nsubject:\n\tpackage: .\n", "3:1: tab in the indentation"},
	{"not UTF-8", "version: 1\n# \xff\n", "2:3: byte 0xff is not UTF-8"},
	{"escape sequence", "version: 1\n# ä \x1b[2K\n", "2:5: control character U+001B"},
	{"empty", " \n# nothing\n", "1:1: the file is empty"},
	{"a list", "- version\n", "1:1: the file: want keys and values, found a list"},
	{"a word", "version\n", "1:1: the file: want keys and values, found text \"version\""},
	{"no version", "subject: {package: .}\n", "1:1: no version"},
	{"newer version", "version: 2\nsubjects: []\n", "1:10: the file is of version 2; this hone reads version 1"},
	{"no such version", "version: 0\n", "1:10: there is no version 0; this hone reads version 1"},
	{"version as text", "version: one\n", `1:10: version: want a number such as 1, found text "one"`},
	{"null", "version: 1\nsubject:\n  package:\n  toolchain: ~\n",
		"3:3: \"package\": no value\n4:14: toolchain: no value"},
	{"nothing in it", "version: 1\nsubject:\n", "2:1: \"subject\": no value"},
	{"list in a list", "version: 1\nsubject: {package: ., args: [[x]]}\n", "2:30: args: want text, found a list"},
	{"unclosed", "version: 1\nsubject: {package: .\n", "2:10: could not find flow mapping end token '}'"},
	{"target in a variant", "version: 1\nvariants: {a: {package: ., target: x}}\n", `2:28: unknown key "target"`},
	{"names", "version: 1\nvariants: {\"a/b\": {package: .}, subject: {package: .}, -x: {package: .}}\nplans: {\"\": {c: 1}}\n",
		"2:12: variants: \"a/b\" is not a name\n2:33: variants: \"subject\" names the subject itself\n2:56: variants: \"-x\" is not a name\n3:9: plans: \"\" is not a name"},
	{"dashes", "version: 1\nplans: {peak: {--rate: 1k}}\n", "2:16: plans.peak: write the flag without dashes: rate"},
	{"variables", "version: 1\nsubject: {package: ., env: {\"A=B\": c}}\n",
		"2:29: env: \"A=B\" is not a name of a variable"},
	{"zero byte", "version: 1\nsubject: {package: ., args: [\"a\\0\"]}\n",
		"2:30: args: a zero byte cannot be passed to a program"},
	{"flags", "version: 1\nsubject: {package: ., flags: [-x, ./evil]}\n", "2:35: flags: \"./evil\" is not a flag"},
	{"package", "version: 1\nsubject: {package: -x}\nvariants: {a: {package: \"\"}}\n",
		"2:20: package: \"-x\" is not a package\n3:25: package: \"\" is not a package"},
	{"a ref that is a flag", "version: 1\nvariants: {a: {package: \"--upload-pack=x:y\"}}\n",
		`2:25: package: "--upload-pack=x:y" is not a package`},
	{"prepare twice", "version: 1\nsubject:\n  package: .\n  prepare: a\n  build: b\n",
		"5:10: build is another name for prepare, which is at 4:12"},
	{"no command", "version: 1\nsubject: {package: ., prepare: [], build: \" \"}\n",
		"2:32: prepare: no command\n2:43: build: no command"},
	{"quote", "version: 1\nsubject: {package: ., prepare: \"a 'b\"}\n",
		"2:32: prepare: column 3: a quote that is never closed"},
	{"baseline", "version: 1\nvariants: {main: {package: .}}\nbaseline: mian\n",
		`3:11: baseline: there is no variant "mian" (did you mean "main"?)`},
	{"features", "version: 1\nfeatures:\n  -x: {env: A=1}\n  b: {env: [A=1, B], arg: c, tags: \"x,y\"}\n  c: {}\n  d: {args: [\"\", -q]}\n",
		"3:3: features: \"-x\" is not a name\n4:18: features: \"B\" is not an entry of an environment\n4:22: unknown key \"arg\" (did you mean \"args\"?)\n4:36: features: \"x,y\" is not a build tag\n5:3: features: nothing switches \"c\" off\n6:14: features: an empty argument"},
	{"empty gate", "version: 1\ngates: [\"\"]\n", "2:9: gates: an empty gate"},
}

func TestFaultsHavePlaces(t *testing.T) {
	for _, c := range faulty {
		t.Run(c.name, func(t *testing.T) {
			_, err := Parse("hone.yaml", []byte(c.text))
			if fail.ExitCode(err) != int(fail.BadInput) || fail.HintOf(err) == "" {
				t.Fatalf("error %v, hint %q", err, fail.HintOf(err))
			}
			want := "hone.yaml:" + strings.ReplaceAll(c.want, "\n", "\nhone.yaml:")
			if err.Error() != want {
				t.Errorf("got\n%v\nwant\n%s", err, want)
			}
		})
	}
}

func TestManyFaultsAreCounted(t *testing.T) {
	_, err := Parse("hone.yaml", []byte("version: 1\n"+strings.Repeat("x: 1\n", 1)+"subject:\n"+keys(40)))
	if lines := strings.Split(err.Error(), "\n"); len(lines) != most+1 ||
		lines[most] != "hone.yaml: and 21 more faults" {
		t.Errorf("%d lines, the last: %s", len(lines), lines[len(lines)-1])
	}
}

func keys(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "  k%d: 1\n", i)
	}
	return b.String()
}

func TestFindGoesUpToTheRepository(t *testing.T) {
	top := t.TempDir()
	deep := filepath.Join(top, "repo", "mod", "cmd", "x")
	if err := os.MkdirAll(deep, 0o700); err != nil {
		t.Fatal(err)
	}
	put := func(parts ...string) string {
		path := filepath.Join(append([]string{top}, parts...)...)
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	want := func(when, want string) {
		t.Helper()
		if got, err := Find(deep); err != nil || got != want {
			t.Errorf("%s: found %q, %v, want %q", when, got, err, want)
		}
	}
	outside := put(Name)
	want("no project: only the directory itself counts", "")
	put("repo", "mod", "go.mod")
	want("a module: not above it", "")
	inRepo := put("repo", Name)
	want("still not above the module", "")
	put("repo", ".git") // a file, as in a worktree
	want("the repository around the module", inRepo)
	inModule := put("repo", "mod", Name)
	want("the nearest", inModule)
	put("go.mod")
	if err := os.Remove(inModule); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(inRepo); err != nil {
		t.Fatal(err)
	}
	want("the repository ends the search, whatever is above", "")
	if err := os.Remove(filepath.Join(top, "repo", ".git")); err != nil {
		t.Fatal(err)
	}
	want("without a repository the topmost module", outside)
}

// A link to a file that is trusted elsewhere must not make its commands run here.
func TestALinkIsReadWhereItPointsTo(t *testing.T) {
	there, here := t.TempDir(), t.TempDir()
	if err := os.WriteFile(filepath.Join(there, Name), []byte("version: 1\nsubject: {package: ./x}\n"),
		0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(there, Name), filepath.Join(here, Name)); err != nil {
		t.Skip("no symbolic links here:", err)
	}
	f, err := Read(filepath.Join(here, Name), "")
	if err != nil {
		t.Fatal(err)
	}
	real, _ := filepath.EvalSymlinks(there)
	v, err := f.Variant(SubjectName)
	if err != nil || v.Source != filepath.Join(real, "x") {
		t.Errorf("source %s, %v", v.Source, err)
	}
}

func TestCommandsShowWhatWouldRun(t *testing.T) {
	f := &File{Path: "/srv/shop/hone.yaml", Dir: "/srv/shop", Shown: "hone.yaml"}
	doc, err := Parse("hone.yaml", []byte(`version: 1
subject:
  package: ./cmd/server
  args: [-addr, "127.0.0.1:{port}", "\e[2K\r-harmless", "\u202e"]
  env: {GOGC: "100", W: "a b"}
  toolchain: go1.26.8
  flags: ["-toolexec=/tmp/x y"]
  prepare: touch /tmp/pwn
  after-start: [curl, "http://127.0.0.1:{port}/?a=\e[8m"]
  needs:
    db: {command: "./start db -p {port}", env: {PW: "a b"}, ready: "log:\eup"}
    a-cache: {command: cache, each: true}
variants:
  old: {package: "v1:cmd/server"}
  lib: {package: example.com/x/cmd/y, args: [], prepare: [a, b], after-start: seed it}
`))
	if err != nil {
		t.Fatal(err)
	}
	f.Document = *doc
	got := strings.Join(f.Commands("subject", "old", "lib", "absent"), "\n")
	want := `needs, started before:
  cd /srv/shop && 'PW=a b' ./start db -p '{port}'  # db, once for all starts, ready: "log:\x1bup"
  cd /srv/shop && cache  # a-cache, before each start
subject:
  cd /srv/shop/cmd/server && GOTOOLCHAIN=go1.26.8 GOGC=100 'W=a b' touch /tmp/pwn
  cd /srv/shop/cmd/server && GOTOOLCHAIN=go1.26.8 GOGC=100 'W=a b' go build '-toolexec=/tmp/x y' -- .
  GOGC=100 'W=a b' server -addr '127.0.0.1:{port}' "\x1b[2K\r-harmless" "\u202e"
  HONE_ADDRESS=HOST:PORT GOGC=100 'W=a b' curl "http://127.0.0.1:{port}/?a=\x1b[8m"  # after each start
old:
  git worktree add --detach CHECKOUT v1
  cd CHECKOUT/cmd/server && GOTOOLCHAIN=go1.26.8 GOGC=100 'W=a b' touch /tmp/pwn
  cd CHECKOUT/cmd/server && GOTOOLCHAIN=go1.26.8 GOGC=100 'W=a b' go build '-toolexec=/tmp/x y' -- .
  cd CHECKOUT && GOGC=100 'W=a b' server -addr '127.0.0.1:{port}' "\x1b[2K\r-harmless" "\u202e"
  HONE_ADDRESS=HOST:PORT GOGC=100 'W=a b' curl "http://127.0.0.1:{port}/?a=\x1b[8m"  # after each start
lib:
  GOTOOLCHAIN=go1.26.8 GOGC=100 'W=a b' a b
  GOTOOLCHAIN=go1.26.8 GOGC=100 'W=a b' go build '-toolexec=/tmp/x y' -- example.com/x/cmd/y
  GOGC=100 'W=a b' y
  HONE_ADDRESS=HOST:PORT GOGC=100 'W=a b' seed it  # after each start`
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// Packages are relative to the file, also behind a ref, whose other paths begin in the root of
// the repository. Go files are packages, too.
func TestPackagesAreRelativeToTheFile(t *testing.T) {
	root, err := Resolve(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	git(t, root, "init", "-q")
	dir := filepath.Join(root, "shop")
	layOut(t, dir, map[string]string{"cmd/x/main.go": "", "one.go": "", "nats.go/x": ""})
	f := &File{Dir: dir, Shown: Name}
	for text, want := range map[string]string{
		"./cmd/x":                       dir + "/cmd/x",
		"cmd/x":                         dir + "/cmd/x",
		"../other":                      root + "/other",
		"example.com/mod/cmd/x":         "example.com/mod/cmd/x",
		"example.com/nats.go":           "example.com/nats.go",
		"nats.go":                       dir + "/nats.go",
		"one.go":                        dir + "/one.go",
		"gone.go":                       dir + "/gone.go",
		"one.go ./two.go":               dir + "/one.go " + dir + "/two.go",
		"'a b.go'":                      "'" + dir + "/a b.go'",
		"main:./cmd/x":                  "main:shop/cmd/x",
		"main:.":                        "main:shop",
		"main:..":                       "main:",
		"main:../cmd/x":                 "main:cmd/x",
		"main:../../x":                  "main:../../x",
		"main:cmd/x":                    "main:cmd/x",
		"HEAD~1:./one.go ./two.go z.go": "'HEAD~1:shop/one.go' shop/two.go z.go",
	} {
		if got := f.source(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
