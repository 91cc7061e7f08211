package main

import (
	"fmt"
	"net/http"

	"github.com/labstack/echo/v4"
)

type good struct {
	Name  string
	Farm  string
	Cents int
	Fresh bool
}

type group struct {
	Slug, Title string
	Season      string
	Goods       []good
}

type shop struct {
	groups []group
	bySlug map[string]*group
}

func newShop() *shop {
	s := &shop{bySlug: map[string]*group{}}
	for i := range 14 {
		g := group{Slug: fmt.Sprintf("group-%d", i), Title: fmt.Sprintf("Fruit & roots %d", i), Season: []string{"spring", "summer", "autumn", "winter"}[i%4]}
		for k := range 18 {
			g.Goods = append(g.Goods, good{
				Name: fmt.Sprintf("Basket %d <%d kg>", k, 1+k%5), Farm: fmt.Sprintf("Farm O'%c", 'A'+k),
				Cents: 250 + i*97 + k*k*410, Fresh: k%3 == 0,
			})
		}
		s.groups = append(s.groups, g)
	}
	for i := range s.groups {
		s.bySlug[s.groups[i].Slug] = &s.groups[i]
	}
	return s
}

func (s *shop) goods(c echo.Context) error {
	g, ok := s.bySlug[c.Param("group")]
	if !ok {
		return c.String(http.StatusNotFound, "no such group")
	}
	return c.Render(http.StatusOK, "goods", g)
}
