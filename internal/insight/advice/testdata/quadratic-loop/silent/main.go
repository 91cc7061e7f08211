// Command silent merges the feeds that a reader follows: each story once, with the feeds it is in. It looks
// for each story in a slice, but the slice has five of them.
package main

import (
	"cmp"
	"flag"
	"fmt"
	"log"
	"net/http"
	"slices"
	"strconv"
)

type story struct {
	id    uint64
	title string
	score int
}

type feed struct {
	name    string
	stories []story
}

// reader follows feeds.
type reader struct{ feeds []feed }

// timeline is the stories of all feeds, each once.
type timeline struct {
	stories []story
	from    []int // how many feeds have it
}

func (t *timeline) add(s story) {
	at := slices.IndexFunc(t.stories, func(o story) bool { return o.id == s.id })
	if at >= 0 {
		t.from[at]++
		return
	}
	t.stories = append(t.stories, s)
	t.from = append(t.from, 1)
}

func (r *reader) merge(most int) *timeline {
	t := &timeline{stories: make([]story, 0, most), from: make([]int, 0, most)}
	for _, f := range r.feeds {
		for _, s := range f.stories {
			t.add(s)
		}
	}
	return t
}

func (r *reader) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	n, err := strconv.Atoi(req.FormValue("top"))
	if err != nil || n < 1 {
		http.Error(w, "top: a number from 1 on", http.StatusBadRequest)
		return
	}
	t := r.merge(400)
	top := slices.MaxFunc(t.stories, func(a, b story) int { return cmp.Compare(a.score, b.score) })
	shared := 0
	for _, n := range t.from {
		if n > 1 {
			shared++
		}
	}
	fmt.Fprintf(w, "%d stories, %d in several feeds\n", len(t.stories), shared)
	for _, s := range t.stories[:min(n, len(t.stories))] {
		fmt.Fprintln(w, s.score, s.title)
	}
	fmt.Fprintln(w, "best:", top.title)
}

func main() {
	addr := flag.String("addr", "127.0.0.1:8080", "`host:port` to listen on")
	flag.Parse()
	r := new(reader)
	for i := range 5 {
		f := feed{name: fmt.Sprintf("feed %d", i)}
		for j := range 5 {
			id := uint64(i + j)
			f.stories = append(f.stories, story{id: id * 2654435761, title: fmt.Sprintf("Story %d", id), score: int(id * 7919 % 1000)})
		}
		r.feeds = append(r.feeds, f)
	}
	log.Fatal(http.ListenAndServe(*addr, r))
}
