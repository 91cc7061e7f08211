package main

import (
	"context"
	"corpus/timeline/users"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"github.com/gin-gonic/gin"
)

type post struct {
	ID     int
	Author string
	Text   string
	Likes  int
}

type entry struct {
	ID     int    `json:"id"`
	Text   string `json:"text"`
	Author string `json:"author"`
	Avatar string `json:"avatar"`
	Likes  int    `json:"likes"`
}

const pageSize = 5

type timeline struct {
	posts []post
	users *users.Client
}

func someposts(n int) []post {
	ps := make([]post, n)
	for i := range ps {
		ps[i] = post{ID: n - i, Author: fmt.Sprintf("u%d", i%17), Text: strings.Repeat("A day at the lake. ", i%5+1), Likes: i * 13 % 40}
	}
	return ps
}

func (t *timeline) show(c *gin.Context) {
	page, err := strconv.Atoi(c.DefaultQuery("page", "0"))
	if err != nil || page < 0 || page*pageSize >= len(t.posts) {
		c.String(http.StatusBadRequest, "bad page")
		return
	}
	out, err := t.entries(c.Request.Context(), t.posts[page*pageSize:min((page+1)*pageSize, len(t.posts))])
	if err != nil {
		c.String(http.StatusBadGateway, err.Error())
		return
	}
	c.JSON(http.StatusOK, out)
}

func (t *timeline) entries(ctx context.Context, posts []post) ([]entry, error) {
	out := make([]entry, 0, len(posts))
	for _, p := range posts {
		u, err := t.users.Get(ctx, p.Author)
		if err != nil {
			return nil, err
		}
		out = append(out, entry{ID: p.ID, Text: p.Text, Likes: p.Likes, Author: u.Name, Avatar: u.Avatar})
	}
	return out, nil
}
