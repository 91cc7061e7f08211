package actions

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// github answers as GitHub's API does, for one repository, in the requests that the actions send.
type github struct {
	t      *testing.T
	server *httptest.Server
	// readOnly says that the token may not write.
	readOnly bool

	mu sync.Mutex // requests come one after the other; the race detector cannot know
	// pulls are the open pull requests; opened are those that an action has opened.
	pulls  []pull
	opened []opened
	// comments are those on pull request 5, the oldest first.
	comments []comment
	// artifacts are the zip files of run 900 by name; listed is their size in the list, where it is not their length.
	artifacts map[string][]byte
	listed    map[string]int
	// writes are the requests that write: method and path.
	writes []string
}

type pull struct {
	Number int     `json:"number"`
	Head   pullEnd `json:"head"`
}

// opened is a pull request that an action has opened.
type opened struct {
	Title   string `json:"title"`
	Head    string `json:"head"`
	Base    string `json:"base"`
	Body    string `json:"body"`
	HTMLURL string `json:"html_url"`
}

type pullEnd struct {
	Label string `json:"label"` // owner:branch
	SHA   string `json:"sha"`
	Repo  struct {
		ID int `json:"id"`
	} `json:"repo"`
}

type comment struct {
	ID   int `json:"id"`
	User struct {
		Login string `json:"login"`
	} `json:"user"`
	Body    string `json:"body"`
	HTMLURL string `json:"html_url"`
}

func newGitHub(t *testing.T) *github {
	g := &github{t: t, artifacts: map[string][]byte{}, listed: map[string]int{}}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /repos/acme/shop/pulls", g.listPulls)
	mux.HandleFunc("POST /repos/acme/shop/pulls", g.writePull)
	mux.HandleFunc("PATCH /repos/acme/shop/pulls/{number}", g.writePull)
	mux.HandleFunc("GET /repos/acme/shop/issues/5/comments", g.listComments)
	mux.HandleFunc("POST /repos/acme/shop/issues/5/comments", g.writeComment)
	mux.HandleFunc("PATCH /repos/acme/shop/issues/comments/{id}", g.writeComment)
	mux.HandleFunc("GET /repos/acme/shop/actions/runs/900/artifacts", g.listArtifacts)
	mux.HandleFunc("GET /repos/acme/shop/actions/artifacts/{id}/zip", g.download)
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		t.Errorf("request %s %s", r.Method, r.URL)
		http.NotFound(w, r)
	})
	g.server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer the-token" {
			http.Error(w, `{"message": "Bad credentials"}`, http.StatusUnauthorized)
			return
		}
		g.mu.Lock()
		defer g.mu.Unlock()
		mux.ServeHTTP(w, r)
	}))
	t.Cleanup(g.server.Close)
	return g
}

func (g *github) answer(w http.ResponseWriter, status int, value any) {
	w.WriteHeader(status)
	if err := json.NewEncoder(w).Encode(value); err != nil {
		g.t.Error(err)
	}
}

// listPulls answers with the open pull requests of a head, as GitHub does: an owner and a branch.
func (g *github) listPulls(w http.ResponseWriter, r *http.Request) {
	if r.FormValue("state") != "open" || r.FormValue("head") == "" {
		g.t.Errorf("pull requests asked for with %s", r.URL.RawQuery)
	}
	g.answer(w, http.StatusOK, filter(g.pulls, func(p pull) bool { return p.Head.Label == r.FormValue("head") }))
}

func filter[T any](all []T, keep func(T) bool) []T {
	return slices.DeleteFunc(append([]T{}, all...), func(v T) bool { return !keep(v) })
}

func (g *github) listComments(w http.ResponseWriter, r *http.Request) {
	page, _ := strconv.Atoi(r.FormValue("page"))
	size, _ := strconv.Atoi(r.FormValue("per_page"))
	from := min((page-1)*size, len(g.comments))
	g.answer(w, http.StatusOK, append([]comment{}, g.comments[from:min(from+size, len(g.comments))]...))
}

// writeComment makes a comment, or changes one.
func (g *github) writeComment(w http.ResponseWriter, r *http.Request) {
	var sent struct {
		Body string `json:"body"`
	}
	if !g.written(w, r, &sent, &sent.Body) {
		return
	}
	if r.Method == http.MethodPost {
		g.answer(w, http.StatusCreated, g.add("github-actions[bot]", sent.Body))
		return
	}
	id, _ := strconv.Atoi(r.PathValue("id"))
	at := slices.IndexFunc(g.comments, func(c comment) bool { return c.ID == id })
	g.comments[at].Body = sent.Body
	g.answer(w, http.StatusOK, g.comments[at])
}

// writePull opens a pull request, or changes one. Their numbers begin at 5.
func (g *github) writePull(w http.ResponseWriter, r *http.Request) {
	var sent opened
	if !g.written(w, r, &sent, &sent.Body) {
		return
	}
	if number, err := strconv.Atoi(r.PathValue("number")); err == nil {
		sent.HTMLURL = g.opened[number-5].HTMLURL
		g.opened[number-5] = sent
		g.answer(w, http.StatusOK, sent)
		return
	}
	number := 5 + len(g.opened)
	sent.HTMLURL = fmt.Sprintf("https://github.example/acme/shop/pull/%d", number)
	g.opened = append(g.opened, sent)
	g.pulls = append(g.pulls, pull{Number: number, Head: pullEnd{Label: "acme:" + sent.Head}})
	g.answer(w, http.StatusCreated, sent)
}

// written reads a request that writes, and answers it itself where GitHub refuses: a token that may not, or a body that
// is too long.
func (g *github) written(w http.ResponseWriter, r *http.Request, sent any, body *string) bool {
	g.writes = append(g.writes, r.Method+" "+r.URL.Path)
	if g.readOnly {
		g.answer(w, http.StatusForbidden, map[string]string{"message": "Resource not accessible by integration"})
		return false
	}
	if err := json.NewDecoder(r.Body).Decode(sent); err != nil || len(*body) > 65536 {
		g.answer(w, http.StatusUnprocessableEntity,
			map[string]string{"message": fmt.Sprintf("%d bytes, %v", len(*body), err)})
		return false
	}
	return true
}

func (g *github) add(login, body string) comment {
	c := comment{ID: 1000 + len(g.comments), Body: body,
		HTMLURL: fmt.Sprintf("https://github.example/acme/shop/pull/5#%d", len(g.comments))}
	c.User.Login = login
	g.comments = append(g.comments, c)
	return c
}

func (g *github) listArtifacts(w http.ResponseWriter, r *http.Request) {
	type artifact struct {
		ID      int    `json:"id"`
		Name    string `json:"name"`
		Size    int    `json:"size_in_bytes"`
		Expired bool   `json:"expired"`
	}
	found := []artifact{}
	if content, ok := g.artifacts[r.FormValue("name")]; ok {
		size := len(content)
		if listed, ok := g.listed[r.FormValue("name")]; ok {
			size = listed
		}
		found = append(found, artifact{ID: 31, Name: r.FormValue("name"), Size: 1, Expired: true},
			artifact{ID: 32, Name: r.FormValue("name"), Size: size})
	}
	g.answer(w, http.StatusOK, map[string]any{"total_count": len(found), "artifacts": found})
}

// download redirects to another host, as GitHub does. The token must not go there.
func (g *github) download(w http.ResponseWriter, r *http.Request) {
	if r.PathValue("id") != "32" {
		g.t.Errorf("artefact %s was downloaded", r.PathValue("id"))
	}
	storage := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if token := r.Header.Get("Authorization"); token != "" {
			g.t.Errorf("the storage got the token")
		}
		for _, content := range g.artifacts { // there is one
			_, _ = w.Write(content) // the client may end the transfer
		}
	}))
	g.t.Cleanup(storage.Close)
	http.Redirect(w, r, strings.Replace(storage.URL, "127.0.0.1", "localhost", 1), http.StatusFound)
}

// zipOf makes a zip file of names and contents in turns.
func zipOf(t *testing.T, files ...string) []byte {
	t.Helper()
	var b bytes.Buffer
	archive := zip.NewWriter(&b)
	for i := 0; i < len(files); i += 2 {
		w, err := archive.CreateHeader(&zip.FileHeader{Name: files[i], Method: zip.Deflate, Modified: time.Unix(0, 0)})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(w, files[i+1]); err != nil {
			t.Fatal(err)
		}
	}
	if err := archive.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}
