package main

import (
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

func TestCheck(t *testing.T) {
	site := fstest.MapFS{
		"index.html": {Data: []byte(`<a href="a/">a</a> <a href="a/#there">b</a> <a href="https://other.example/x">c</a> <img src="p.png">
			<a href="./">d</a> <a href="a/#gone">e</a> <a href="lost/">f</a> <script src="https://other.example/s.js"></script>`)},
		"a/index.html": {Data: []byte(`<h2 id="there"></h2><a href="../">home</a><a href="#there">x</a><img src="../q.png">`)},
		"p.png":        {},
	}
	links, pages, faults, err := check(site)
	if err != nil || links != 9 || pages != 2 {
		t.Errorf("%d links, %d pages, %v", links, pages, err)
	}
	want := []string{
		"a/index.html: ../q.png: there is no q.png",
		"index.html: a/#gone: a/index.html has no element #gone",
		"index.html: loads https://other.example/s.js from another host",
		"index.html: lost/: there is no lost",
	}
	if !slices.Equal(faults, want) {
		t.Errorf("faults %q, want %q", faults, want)
	}
}

// The hash is that of both files, one after the other.
func TestOldPictures(t *testing.T) {
	repository := fstest.MapFS{
		"internal/view/web/dist/hone.css": {Data: []byte("a")},
		"internal/view/web/dist/hone.js":  {Data: []byte("bc")},
		"docs/pictures/made.json":         {Data: []byte(`{"date": "2026-11-24", "pages": "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"}`)},
	}
	if old, err := oldPictures(repository); old != "" || err != nil {
		t.Errorf("%q, %v", old, err)
	}
	repository["internal/view/web/dist/hone.js"].Data = []byte("bcd")
	if old, err := oldPictures(repository); !strings.Contains(old, "2026-11-24") || err != nil {
		t.Errorf("%q, %v", old, err)
	}
	delete(repository, "docs/pictures/made.json")
	if _, err := oldPictures(repository); err == nil {
		t.Error("no error without made.json")
	}
}
