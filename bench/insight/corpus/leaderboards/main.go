// Command leaderboards shows the best players of leagues.
package main

import (
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/signal"
	"strconv"
	"syscall"

	"github.com/labstack/echo/v4"
)

func main() {
	b := newBoard()
	for i, league := range []string{"gold", "iron"} {
		for k := range 700 {
			b.report(league, fmt.Sprintf("player-%d", k), (k*7919+i*13)%100003, k%40+1)
		}
	}
	e := echo.New()
	e.HideBanner = true
	e.GET("/top", func(c echo.Context) error {
		n, err := strconv.Atoi(c.QueryParam("n"))
		if err != nil || n < 1 || n > 100 {
			return echo.NewHTTPError(http.StatusBadRequest, "n is from 1 to 100")
		}
		return c.JSON(http.StatusOK, b.top(c.QueryParam("league"), n))
	})
	e.POST("/report/:league/:player", func(c echo.Context) error {
		points, err := strconv.Atoi(c.FormValue("points"))
		if err != nil {
			return echo.NewHTTPError(http.StatusBadRequest, "bad points")
		}
		b.report(c.Param("league"), c.Param("player"), points, 1)
		return c.NoContent(http.StatusNoContent)
	})
	addr := "127.0.0.1:8080"
	if p, ok := os.LookupEnv("PORT"); ok {
		addr = net.JoinHostPort("127.0.0.1", p)
	}
	l, err := net.Listen("tcp", addr)
	if err != nil {
		slog.Error("listen", "addr", addr, "err", err)
		os.Exit(1)
	}
	hs := http.Server{Handler: e}
	sigs := make(chan os.Signal, 1)
	signal.Notify(sigs, syscall.SIGTERM)
	go func() {
		<-sigs
		_ = hs.Close()
	}()
	slog.Info("ready", "addr", l.Addr().String())
	_ = hs.Serve(l)
}
