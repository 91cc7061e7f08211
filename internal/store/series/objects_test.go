package series

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gohone/hone/internal/store/bucket"
	"github.com/gohone/hone/internal/text/fail"
)

// bucketVariable is the directory that this binary serves where its name is hone-share.
const bucketVariable = "HONE_TEST_BUCKET"

// anObjectStore is a store of objects behind a child process, as hone-share is one. The tests of cmd/hone-share have a real
// server.
func anObjectStore(t *testing.T) testPlace {
	dir := t.TempDir()
	self, err := os.Executable()
	must(t, err)
	must(t, os.Symlink(self, filepath.Join(dir, "hone-share")))
	t.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH"))
	t.Setenv(bucketVariable, filepath.Join(dir, "bucket"))
	return testPlace{"objects", "s3://bucket/team", ""}
}

// serveObjects is hone-share.
func serveObjects() {
	if err := bucket.Serve(context.Background(), os.Stdin, os.Stdout, directory(os.Getenv(bucketVariable))); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// directory has an object in each file.
type directory string

func (d directory) List(context.Context) (all []bucket.Object, err error) {
	entries, _ := os.ReadDir(string(d))
	for _, e := range entries {
		if info, err := e.Info(); err == nil && !e.IsDir() {
			all = append(all, bucket.Object{Name: e.Name(), Size: info.Size()})
		}
	}
	return all, nil
}

func (d directory) Get(_ context.Context, names []string, _ int64, take func(bucket.Object) error) error {
	for _, name := range names {
		if content, err := os.ReadFile(filepath.Join(string(d), name)); err == nil {
			if err := take(bucket.Object{Name: name, Content: content}); err != nil {
				return err
			}
		}
	}
	return nil
}

func (d directory) Put(_ context.Context, o bucket.Object) error {
	name := filepath.Join(string(d), o.Name)
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		return fail.New(fail.Storage, "%w", err).WithHint("make room")
	}
	temp, err := os.CreateTemp(filepath.Dir(filepath.Dir(name)), ".put")
	if err != nil {
		return err
	}
	if _, err := temp.Write(o.Content); err != nil {
		return err
	}
	if err := temp.Close(); err != nil {
		return err
	}
	return os.Rename(temp.Name(), name)
}

// mapped is a place in memory, which counts its requests.
type mapped struct {
	objects map[string][]byte
	gets    int
	refuse  error // of Put
}

func (m *mapped) Close() error { return nil }

func (m *mapped) List(context.Context) (all []bucket.Object, err error) {
	for name, content := range m.objects {
		if !strings.Contains(name, "/") {
			all = append(all, bucket.Object{Name: name, Size: int64(len(content))})
		}
	}
	return all, nil
}

func (m *mapped) Get(_ context.Context, names []string, _ int64, take func(bucket.Object) error) error {
	for _, name := range names {
		m.gets++
		if content, is := m.objects[name]; is {
			if err := take(bucket.Object{Name: name, Content: content}); err != nil {
				return err
			}
		}
	}
	return nil
}

func (m *mapped) Put(_ context.Context, o bucket.Object) error {
	if m.refuse == nil {
		m.objects[o.Name] = o.Content
	}
	return m.refuse
}

func inMemory() (*mapped, *Objects) {
	m := &mapped{objects: map[string][]byte{}}
	return m, m.store()
}

func (m *mapped) store() *Objects {
	return OpenObjects("s3://memory", func(context.Context) (OpenPlace, error) { return m, nil })
}

func unzip(t *testing.T, content []byte) string {
	t.Helper()
	z, err := gzip.NewReader(bytes.NewReader(content))
	must(t, err)
	var b bytes.Buffer
	_, err = b.ReadFrom(z)
	must(t, err)
	return b.String()
}

func zipped(text string) []byte {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, _ = z.Write([]byte(text))
	_ = z.Close()
	return b.Bytes()
}

// Nights, each of a job that reads and adds a point, are read by few requests, and jobs that make copies at
// once lose nothing.
func TestPointsAreCopiedTogether(t *testing.T) {
	const nights = 200
	m, _ := inMemory()
	for n := range nights {
		first, second := m.store(), m.store() // jobs with what the first of them has read
		readStore(t, first)
		if n%7 == 0 {
			readStore(t, second)
		}
		must(t, first.Append(t.Context(), []Point{pointOf("main", n)}, nil))
		must(t, second.Append(t.Context(), []Point{pointOf("main", n)}, nil)) // started twice
	}
	m.gets = 0
	content := readStore(t, m.store())
	holdsOnce(t, content, nights)
	if len(content.Faults) > 0 || m.gets > nights/copied+copied {
		t.Errorf("%d requests, faults %v", m.gets, content.Faults)
	}
	for i, p := range content.Points {
		if p.Commit.Hash != hashOf(i) {
			t.Fatalf("point %d is %s", i, p.Commit.Hash)
		}
	}
	// Without the copies all points are there, too, and without what was copied.
	several, alone := map[string][]byte{}, map[string][]byte{}
	for name, text := range m.objects {
		if _, number, _ := namedBy(name); number > 1 {
			several[name] = text
		} else {
			alone[name] = text
		}
	}
	holdsOnce(t, readStore(t, (&mapped{objects: alone}).store()), nights)
	if got := len(readStore(t, (&mapped{objects: several}).store()).Points); got < nights-copied {
		t.Errorf("the copies have %d points", got)
	}
}

// A store that was edited: each object is named, and nothing is lost of which there is another copy.
func TestEditedObjects(t *testing.T) {
	made, _ := inMemory()
	for n := range copied + 5 {
		s := made.store()
		readStore(t, s)
		must(t, s.Append(t.Context(), []Point{pointOf("main", n)}, nil))
	}
	var several, copiedOne, alone string
	for _, name := range slices.Sorted(maps.Keys(made.objects)) {
		_, number, _ := namedBy(name)
		switch {
		case number > 1:
			several = name
		case copiedOne == "":
			copiedOne = name
		default:
			alone = name // the newest one, which has no copy
		}
	}
	edit := func(name string, with func(string) string) func(map[string][]byte) {
		return func(o map[string][]byte) { o[name] = zipped(with(unzip(t, o[name]))) }
	}
	for what, c := range map[string]struct {
		edit         func(map[string][]byte)
		points       int
		file, reason string
	}{
		"edited": {edit(alone, func(s string) string { return strings.Replace(s, "1.02", "0.92", 1) }), copied + 5, alone,
			"the point was edited"},
		"newer": {edit(alone, func(s string) string { return strings.Replace(s, "point/1", "point/2", 1) }), copied + 4, alone,
			"a newer hone has written this point"},
		"truncated":      {func(o map[string][]byte) { o[alone] = o[alone][:60] }, copied + 4, alone, "unexpected EOF"},
		"empty":          {func(o map[string][]byte) { o[alone] = nil }, copied + 4, alone, "the file cannot be read: EOF"},
		"the copied one": {func(o map[string][]byte) { o[copiedOne] = nil }, copied + 5, "", ""},
		"its copy gone":  {func(o map[string][]byte) { delete(o, several) }, copied + 5, "", ""},
		"a copy that was edited": {edit(several, func(s string) string { return strings.Replace(s, "1.02", "0.92", 1) }), copied + 6,
			several, "it has 31 sound points, and its name says 32"},
		"a line of the copy gone": {edit(several, func(s string) string { _, rest, _ := strings.Cut(s, "\n"); return rest }), copied + 5,
			several, "it has 31 sound points"},
		"a copy that was truncated": {func(o map[string][]byte) { o[several] = o[several][:len(o[several])-20] }, copied + 5, several,
			"unexpected EOF"},
		"an object of others": {func(o map[string][]byte) { o["20261130T120000Z-run-0123abcd.tar.gz"] = []byte("x") }, copied + 5, "", ""},
		"a bomb": {func(o map[string][]byte) {
			o["20261130T120000Z-"+strings.Repeat("0", 32)+"-1.jsonl.gz"] = zipped(strings.Repeat(" ", 65<<20))
		}, copied + 5, "20261130T120000Z-" + strings.Repeat("0", 32) + "-1.jsonl.gz", "more than"},
	} {
		t.Run(what, func(t *testing.T) {
			m := &mapped{objects: maps.Clone(made.objects)}
			c.edit(m.objects)
			s := m.store()
			content := readStore(t, s)
			named := slices.ContainsFunc(content.Faults, func(f Fault) bool {
				return f.File == c.file && strings.Contains(f.Reason, c.reason)
			})
			if len(content.Points) != c.points || named != (c.file != "") || !named && len(content.Faults) > 0 {
				t.Errorf("%d points, want %d; faults %v", len(content.Points), c.points, content.Faults)
			}
			must(t, s.Append(t.Context(), []Point{pointOf("main", copied+4)}, nil)) // again: what was broken is whole
			if content := readStore(t, s); len(content.Points) < copied+5 {
				t.Errorf("after it %d points", len(content.Points))
			}
		})
	}
}

// An error of the place comes with its kind and its next step through the child process, and one of a child that does
// not answer has both.
func TestFaultsOfObjects(t *testing.T) {
	p := anObjectStore(t)
	must(t, os.WriteFile(os.Getenv(bucketVariable), nil, 0o600)) // no directory: a put fails
	err := openStore(t, p.where, p.dir).Append(t.Context(), []Point{pointOf("main", 1)}, nil)
	if err == nil || !strings.Contains(err.Error(), "not a directory") || fail.HintOf(err) != "make room" ||
		fail.KindOf(err) != fail.Storage {
		t.Errorf("%v, hint %q", err, fail.HintOf(err))
	}
	for what, c := range map[string]struct {
		script, text, hint string
		kind               fail.Kind
	}{
		"refuses":   {"echo 'hone-share: no credentials for the store' >&2; echo 'hint: set AWS_ACCESS_KEY_ID' >&2; exit 2", "no credentials for the store", "set AWS_ACCESS_KEY_ID", fail.BadInput},
		"is killed": {"kill -9 $$", "hone-share ended", "repeat the command", fail.Environment},
		"babbles":   {"echo hello; sleep 0.01", "hone-share ended", "repeat the command", fail.Environment},
	} {
		dir := t.TempDir()
		must(t, os.WriteFile(filepath.Join(dir, "hone-share"), []byte("#!/bin/sh\n"+c.script+"\n"), 0o700))
		t.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH"))
		_, err := openStore(t, p.where, p.dir).Read(t.Context())
		if fail.KindOf(err) != c.kind || !strings.Contains(fmt.Sprint(err), c.text) || !strings.Contains(fail.HintOf(err), c.hint) {
			t.Errorf("%s: %v (%d), hint %q", what, err, fail.KindOf(err), fail.HintOf(err))
		}
	}
	t.Setenv("PATH", t.TempDir())
	_, err = openStore(t, p.where, p.dir).Read(t.Context())
	if fail.KindOf(err) != fail.Environment || !strings.Contains(fail.HintOf(err), "hone-share install") &&
		!strings.Contains(fail.HintOf(err), "cmd/hone-share") {
		t.Errorf("without hone-share: %v, hint %q", err, fail.HintOf(err))
	}
}
