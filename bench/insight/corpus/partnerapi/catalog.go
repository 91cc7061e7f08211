package main

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
)

// catalog is what anyone may see.
type catalog struct{ articles []article }

type article struct {
	ID       int      `json:"id"`
	Name     string   `json:"name"`
	Keywords []string `json:"keywords"`
	Digest   string   `json:"digest"`
}

const perPage = 150

func newCatalog(n int) *catalog {
	c := &catalog{articles: make([]article, n)}
	for i := range c.articles {
		c.articles[i] = article{ID: i, Name: fmt.Sprintf("Article %d & parts", i), Keywords: []string{"part", "k" + strconv.Itoa(i%9), "stock"}}
	}
	return c
}

func (c *catalog) list(w http.ResponseWriter, r *http.Request) {
	page, err := strconv.Atoi(r.FormValue("page"))
	if err != nil || page < 0 || page*perPage >= len(c.articles) {
		http.Error(w, "bad page", http.StatusBadRequest)
		return
	}
	part := slices.Clone(c.articles[page*perPage : min((page+1)*perPage, len(c.articles))])
	for i := range part {
		sum := sha256.Sum256([]byte(part[i].Name))
		part[i].Digest = hex.EncodeToString(sum[:8])
	}
	body, err := json.MarshalIndent(part, "", "  ")
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.Write(body)
}
