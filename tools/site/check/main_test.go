package main

import (
	"slices"
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
