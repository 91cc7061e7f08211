// Command moderation checks comments against the rules of a forum.
package main

import (
	"cmp"
	"context"
	"corpus/moderation/rules"
	"log"
	"net"
	"net/http"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/labstack/echo/v4"
)

type comment struct {
	Forum  string `json:"forum"`
	Author string `json:"author"`
	Text   string `json:"text"`
}

type verdict struct {
	Allowed bool        `json:"allowed"`
	Score   int         `json:"score"`
	Words   int         `json:"words"`
	Hits    []rules.Hit `json:"hits"`
}

type server struct{ forums map[string]*rules.Set }

func (s *server) check(c echo.Context) error {
	var in comment
	if err := c.Bind(&in); err != nil {
		return echo.NewHTTPError(http.StatusBadRequest, err.Error())
	}
	set, ok := s.forums[in.Forum]
	if !ok {
		return echo.NewHTTPError(http.StatusNotFound, "no such forum")
	}
	hits, err := set.Check(in.Text)
	if err != nil {
		return err
	}
	out := verdict{Hits: hits, Words: len(strings.Fields(in.Text))}
	for _, h := range hits {
		out.Score += h.Weight
	}
	out.Allowed = out.Score < 10
	return c.JSON(http.StatusOK, out)
}

func main() {
	s := &server{forums: map[string]*rules.Set{
		"bikes": rules.NewSet(rules.Common, rules.Selling),
		"cats":  rules.NewSet(rules.Common),
	}}
	e := echo.New()
	e.HideBanner = true
	e.POST("/check", s.check)
	e.GET("/health", func(c echo.Context) error { return c.NoContent(http.StatusOK) })
	ln, err := net.Listen("tcp", "127.0.0.1:"+cmp.Or(os.Getenv("PORT"), "8080"))
	if err != nil {
		log.Fatal(err)
	}
	srv := &http.Server{Handler: e}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, os.Interrupt)
	defer stop()
	go func() {
		<-ctx.Done()
		srv.Close()
	}()
	if err := srv.Serve(ln); err != http.ErrServerClosed {
		log.Fatal(err)
	}
}
