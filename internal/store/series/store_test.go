package series

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"syscall"
	"testing"

	"pgregory.net/rapid"

	"github.com/gohone/hone/internal/text/fail"
)

// What is appended is read as it was, with its ID, from each store; a store that nobody wrote to is empty.
func TestRoundTrip(t *testing.T) {
	for _, p := range []testPlace{aDirectory(t), aBranch(t), aServer(t), anObjectStore(t)} {
		t.Run(p.name, func(t *testing.T) {
			s := openStore(t, p.where, p.dir)
			if content := readStore(t, s); len(content.Points)+len(content.Faults) > 0 {
				t.Errorf("a store without points has %+v", content)
			}
			must(t, s.Append(t.Context(), nil, nil))
			if _, err := s.Report(t.Context(), "no.txt"); !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("a report that is not there: %v", err)
			}
			points := []Point{pointOf("main", 1), pointOf("main", 2)}
			points[1].Report = ReportName("x", []byte("text"), "html")
			reports := map[string][]byte{points[1].Report: []byte("text")}
			must(t, s.Append(t.Context(), points, reports))
			must(t, s.Append(t.Context(), points, reports))
			content := readStore(t, s)
			if len(content.Faults) > 0 {
				t.Errorf("faults %v", content.Faults)
			}
			for i := range points {
				want, err := Identify(points[i])
				must(t, err)
				if len(content.Points) != 2 || !reflect.DeepEqual(content.Points[i], want) {
					t.Errorf("points %+v, want %+v", content.Points, want)
				}
			}
			if text, err := s.Report(t.Context(), points[1].Report); err != nil || string(text) != "text" {
				t.Errorf("report %q, %v", text, err)
			}
			for _, name := range []string{"../a", "", ".x", "a/b"} {
				if _, err := s.Report(t.Context(), name); fail.ExitCode(err) != int(fail.BadInput) {
					t.Errorf("report %q: %v", name, err)
				}
			}
			err := s.Append(t.Context(), points[:1], map[string][]byte{points[1].Report: []byte("other")})
			if fail.ExitCode(err) != int(fail.Storage) {
				t.Errorf("another report of the same name: %v", err)
			}
		})
	}
}

// Points that no reader would show are not written.
func TestWhatNoReaderTakesIsNotWritten(t *testing.T) {
	s := OpenDir(t.TempDir())
	long, nameless, report := pointOf("main", 1), pointOf("", 1), pointOf("main", 1)
	long.Machine = strings.Repeat("m", 5<<20)
	report.Report = "../x"
	for _, p := range []Point{long, nameless, report} {
		if err := s.Append(t.Context(), []Point{pointOf("main", 2), p}, nil); err == nil {
			t.Errorf("%.100v was written", p)
		}
	}
	if content := readStore(t, s); len(content.Points) > 0 {
		t.Errorf("%d points", len(content.Points))
	}
}

// A file that is long enough gets a successor, and points of the earlier ones are known.
func TestLongSeriesHaveSeveralFiles(t *testing.T) {
	for _, c := range []times{{aDirectory(t), 23}, {aBranch(t), 5}} {
		t.Run(c.name, func(t *testing.T) {
			s := openStore(t, c.where, c.dir)
			switch s := s.(type) {
			case *Dir:
				s.segment = 600
			case *Branch:
				s.segment = 600
			}
			for n := range c.n - 3 {
				must(t, s.Append(t.Context(), []Point{pointOf("main", n), pointOf("main", n/2)}, nil))
			}
			must(t, s.Append(t.Context(), []Point{pointOf("main", c.n-3), pointOf("main", c.n-2), pointOf("main", c.n-1)}, nil))
			content := readStore(t, s)
			holdsOnce(t, content, c.n)
			for i, p := range content.Points {
				if p.Commit.Hash != hashOf(i) {
					t.Errorf("point %d is %s: they have to be in the order in which they were written", i, p.Commit.Hash)
				}
			}
			if d, is := s.(*Dir); is {
				names, err := filepath.Glob(filepath.Join(d.path, "*.jsonl"))
				must(t, err)
				if len(names) < 11 { // so that .10 comes after .9
					t.Errorf("files %v", names)
				}
				for _, name := range names {
					if info, err := os.Stat(name); err != nil || info.Size() > 2*600 {
						t.Errorf("%s has %d bytes, %v", name, info.Size(), err)
					}
				}
			}
		})
	}
}

// In whatever order and grouping points are appended, and however often, all are there once.
func TestAllPointsOnce(t *testing.T) {
	root := t.TempDir()
	runs := 0
	rapid.Check(t, func(rt *rapid.T) {
		runs++
		dir := filepath.Join(root, fmt.Sprint(runs))
		segment := rapid.Int64Range(1, 3000).Draw(rt, "segment")
		branches := rapid.SliceOfN(rapid.StringN(1, 20, -1), 1, 3).Draw(rt, "branches")
		want := map[string]bool{}
		for range rapid.IntRange(1, 6).Draw(rt, "appends") {
			s := &Dir{path: dir, segment: segment}
			var points []Point
			for range rapid.IntRange(0, 4).Draw(rt, "points") {
				p := pointOf(rapid.SampledFrom(branches).Draw(rt, "branch"), rapid.IntRange(0, 9).Draw(rt, "n"))
				p.Commit.Subject = rapid.String().Draw(rt, "subject")
				known, err := Identify(p)
				if err != nil {
					rt.Fatal(err)
				}
				want[known.ID] = true
				points = append(points, p)
			}
			if err := s.Append(t.Context(), points, nil); err != nil {
				rt.Fatal(err)
			}
			if rapid.Bool().Draw(rt, "torn") { // a writer is killed within a line
				tear(rt, dir)
			}
		}
		content, err := OpenDir(dir).Read(t.Context())
		if err != nil {
			rt.Fatal(err)
		}
		got := map[string]bool{}
		for _, p := range content.Points {
			if got[p.ID] || !want[p.ID] {
				rt.Fatalf("point %s: twice, or never appended", p.ID)
			}
			got[p.ID] = true
		}
		for _, f := range content.Faults {
			if strings.Contains(f.Reason, "the same point") {
				rt.Fatal(f)
			}
		}
		if len(got) != len(want) {
			rt.Fatalf("%d points of %d", len(got), len(want))
		}
	})
}

// tear leaves half a line at the end of a file.
func tear(t *rapid.T, dir string) {
	names, _ := filepath.Glob(filepath.Join(dir, "*.jsonl"))
	if len(names) == 0 {
		return
	}
	f, err := os.OpenFile(rapid.SampledFrom(names).Draw(t, "file"), os.O_WRONLY|os.O_APPEND, 0)
	if err == nil {
		_, err = f.WriteString(lineHead + "0123")
		err = errors.Join(err, f.Close())
	}
	if err != nil {
		t.Fatal(err)
	}
}

// Names of files are made of what strangers chose.
func TestNamesOfFiles(t *testing.T) {
	for _, c := range [][3]string{
		{"main", "bench", "main.bench-"},
		{"release/v1.2", "github.com/a/b/cmd/server", "release-v1-2.github-com-a-b-cmd-server-"},
		{"../../etc", "\x1b[31m\n", "etc.31m-"},
		{"..", ".", ".-"},
		{strings.Repeat("x", 300), "日本", strings.Repeat("x", 40) + ".-"},
	} {
		name := baseName(Point{Branch: c[0], Subject: c[1], At: day})
		hash, found := strings.CutPrefix(name, c[2])
		hash, month := strings.CutSuffix(hash, ".2026-11")
		if !found || !month || len(hash) != 10 || filepath.Base(name) != name {
			t.Errorf("%q, %q: %q, want %sHASH", c[0], c[1], name, c[2])
		}
	}
	named := func(branch, subject string) string { return baseName(Point{Branch: branch, Subject: subject}) }
	if named("a", "b/c") == named("a", "b-c") || named("A", "b") == named("a", "b") || named("ab", "c") == named("a", "bc") {
		t.Error("two series have one file")
	}
	for _, n := range []int{1, 2, 10, 11} {
		const want = "main.bench-0123456789.2026-11"
		if base, got := splitSegment(segmentName(want, n)); base != want || got != n {
			t.Errorf("segment %d: %q, %d", n, base, got)
		}
	}
}

// What came with a repository as a trap is neither read nor written through, and the rest is shown.
func TestTrapsInADirectory(t *testing.T) {
	dir, outside := t.TempDir(), filepath.Join(t.TempDir(), "mine")
	must(t, os.WriteFile(outside, []byte("mine"), 0o600))
	s := OpenDir(dir)
	must(t, s.Append(t.Context(), []Point{pointOf("main", 1)}, nil))
	target := filepath.Join(dir, baseName(pointOf("trap", 1))+suffix)
	inner := filepath.Join(dir, "inner.txt")
	must(t, os.WriteFile(inner, []byte("mine"), 0o600))
	for name, set := range map[string]func() error{
		"link out":  func() error { return os.Symlink(outside, target) },
		"link in":   func() error { return os.Symlink("inner.txt", target) },
		"hard link": func() error { return os.Link(outside, target) },
		"pipe":      func() error { return syscall.Mkfifo(target, 0o600) },
		"directory": func() error { return os.Mkdir(target, 0o700) },
	} {
		must(t, set())
		err := s.Append(t.Context(), []Point{pointOf("trap", 1)}, nil)
		if fail.ExitCode(err) != int(fail.Untrusted) || fail.HintOf(err) == "" {
			t.Errorf("%s: append: %v", name, err)
		}
		content := readStore(t, s)
		if len(content.Points) != 1 || len(content.Faults) != 1 {
			t.Errorf("%s: %d points, faults %v", name, len(content.Points), content.Faults)
		}
		for _, path := range []string{outside, inner} {
			if text, err := os.ReadFile(path); err != nil || string(text) != "mine" {
				t.Errorf("%s: %s has %q, %v", name, path, text, err)
			}
		}
		must(t, os.RemoveAll(target))
	}
	lock := filepath.Join(dir, lockFile)
	must(t, errors.Join(os.Remove(lock), os.Symlink(outside+".new", lock)))
	if err := s.Append(t.Context(), []Point{pointOf("main", 2)}, nil); fail.ExitCode(err) != int(fail.Untrusted) {
		t.Errorf("a lock that is a link: %v", err)
	}
	if _, err := os.Lstat(outside + ".new"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the lock made a file elsewhere: %v", err)
	}
}

// Faults of the system have a kind and a next step.
func TestFaultsOfADirectory(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	must(t, os.WriteFile(file, nil, 0o600))
	s := OpenDir(file)
	if err := s.Append(t.Context(), []Point{pointOf("main", 1)}, nil); fail.ExitCode(err) != int(fail.Storage) {
		t.Errorf("a file instead of the directory: %v", err)
	}
	if _, err := s.Read(t.Context()); fail.ExitCode(err) != int(fail.Storage) {
		t.Errorf("a file instead of the directory: %v", err)
	}
}

// Open takes a directory, a branch, and says what else there will be.
func TestOpen(t *testing.T) {
	dir := repository(t)
	for where, want := range map[string]string{"perf": filepath.Join(dir, "perf"), "/abs/perf": "/abs/perf",
		"branch:": "branch:hone-series", "branch:perf/x": "branch:perf/x", "s3://bucket/x": "s3://bucket/x"} {
		if got := openStore(t, where, dir).String(); got != want {
			t.Errorf("%s: %s, want %s", where, got, want)
		}
	}
	for where, in := range map[string]string{"": dir, "ftp://x": dir, "branch:-x": dir,
		"branch:a..b": dir, "branch:a b": dir, "branch:": t.TempDir(), "branch:x.lock": dir, "branch:@": dir,
		"branch:refs/heads/../x": dir} {
		_, err := Open(t.Context(), where, in)
		if fail.ExitCode(err) != int(fail.BadInput) || fail.HintOf(err) == "" {
			t.Errorf("%q: %v, hint %q", where, err, fail.HintOf(err))
		}
	}
}

// A branch that is no store, and one that somebody has checked out, are left alone.
func TestBranchesThatAreNoStore(t *testing.T) {
	dir := repository(t)
	head := gitIn(t, dir, "rev-parse", "main")
	gitIn(t, dir, "branch", "other")
	gitIn(t, dir, "symbolic-ref", "refs/heads/alias", "refs/heads/other")
	for _, name := range []string{"main", "other", "alias"} {
		err := openStore(t, "branch:"+name, dir).Append(t.Context(), []Point{pointOf("main", 1)}, nil)
		if fail.ExitCode(err) != int(fail.BadInput) || fail.HintOf(err) == "" ||
			gitIn(t, dir, "rev-parse", name) != head {
			t.Errorf("%s: %v", name, err)
		}
	}
	before := gitIn(t, dir, "status", "--porcelain")
	s := openStore(t, "branch:", dir)
	must(t, s.Append(t.Context(), []Point{pointOf("main", 1)}, nil))
	if after := gitIn(t, dir, "status", "--porcelain"); after != before || gitIn(t, dir, "rev-parse", "HEAD") != head {
		t.Errorf("the work tree has changed: %q", after)
	}
	files := strings.Fields(gitIn(t, dir, "ls-tree", "--name-only", "hone-series"))
	if len(files) != 2 || files[0] != noteFile {
		t.Errorf("files %v", files)
	}
	// What others put on the branch stays.
	gitIn(t, dir, "worktree", "add", "-q", filepath.Join(t.TempDir(), "w"), "hone-series")
	if err := s.Append(t.Context(), []Point{pointOf("main", 2)}, nil); fail.ExitCode(err) != int(fail.BadInput) {
		t.Errorf("a branch that is checked out elsewhere: %v", err)
	}
}

// What others put on the branch stays, and a branch that was forced back takes the next point.
func TestABranchThatOthersChange(t *testing.T) {
	dir := repository(t)
	s := openStore(t, "branch:", dir)
	must(t, s.Append(t.Context(), []Point{pointOf("main", 1)}, nil))
	first := gitIn(t, dir, "rev-parse", "hone-series")
	tree := filepath.Join(t.TempDir(), "w")
	gitIn(t, dir, "worktree", "add", "-q", tree, "hone-series")
	must(t, os.WriteFile(filepath.Join(tree, "index.html"), []byte("page"), 0o600))
	must(t, os.MkdirAll(filepath.Join(tree, "reports"), 0o700))
	must(t, os.WriteFile(filepath.Join(tree, "reports", "of-others.txt"), []byte("page"), 0o600))
	must(t, os.Symlink("/etc/passwd", filepath.Join(tree, "link.jsonl")))
	gitIn(t, tree, "add", ".")
	gitIn(t, tree, "commit", "-qm", "page")
	gitIn(t, dir, "worktree", "remove", "--force", tree)
	must(t, s.Append(t.Context(), []Point{pointOf("main", 2)}, map[string][]byte{"a.txt": []byte("a")}))
	list := gitIn(t, dir, "ls-tree", "-r", "--name-only", "hone-series")
	for _, want := range []string{"index.html", "reports/of-others.txt", "reports/a.txt", "link.jsonl"} {
		if !strings.Contains(list, want) {
			t.Errorf("%s is gone: %s", want, list)
		}
	}
	holdsOnce(t, pointsFrom(readStore(t, s), 1), 2)
	gitIn(t, dir, "update-ref", "refs/heads/hone-series", first)
	must(t, s.Append(t.Context(), []Point{pointOf("main", 2)}, nil))
	holdsOnce(t, pointsFrom(readStore(t, s), 1), 2)
}

// pointsFrom numbers points anew, from one that was not 0.
func pointsFrom(content Content, first int) Content {
	for i := range content.Points {
		for n := first; n < 100; n++ {
			if content.Points[i].Commit.Hash == hashOf(n) {
				content.Points[i].Commit.Hash = hashOf(n - first)
				break
			}
		}
	}
	return content
}

// A clone whose remote does not answer, or refuses the push, says what to do.
func TestARemoteThatRefuses(t *testing.T) {
	clone := cloneOfServer(t)
	s := openStore(t, "branch:", clone)
	must(t, s.Append(t.Context(), []Point{pointOf("main", 1)}, nil))
	url := gitIn(t, clone, "config", "remote.origin.url")
	gitIn(t, clone, "config", "--unset-all", tokenKey(url))
	gitIn(t, clone, "config", "remote.origin.url", strings.Replace(url, "http://", "http://job:hidden@", 1))
	s = openStore(t, "branch:", clone)
	err := s.Append(t.Context(), []Point{pointOf("main", 2)}, nil)
	if fail.ExitCode(err) != int(fail.Environment) || !strings.Contains(fail.HintOf(err), "git ls-remote origin") {
		t.Errorf("without the token: %v, hint %q", err, fail.HintOf(err))
	}
	if strings.Contains(fmt.Sprint(err, fail.HintOf(err)), "hidden") {
		t.Errorf("the password is in the message: %v", err)
	}
}

// A server that refuses the push is no lost race: it is asked a few times, and its answer is shown.
func TestAServerThatRefuses(t *testing.T) {
	url, bare, _ := serve(t)
	clone := cloneOf(t, url)
	hook := filepath.Join(bare, "hooks", "pre-receive")
	must(t, os.MkdirAll(filepath.Dir(hook), 0o700))
	must(t, os.WriteFile(hook, []byte("#!/bin/sh\necho this branch is protected >&2\nexit 1\n"), 0o700))
	err := openStore(t, "branch:", clone).Append(t.Context(), []Point{pointOf("main", 1)}, nil)
	if fail.ExitCode(err) != int(fail.Environment) || !strings.Contains(fmt.Sprint(err), "this branch is protected") ||
		!strings.Contains(fail.HintOf(err), "contents: write") {
		t.Errorf("%v, hint %q", err, fail.HintOf(err))
	}
}
