// Command captions serves the captions of videos in the format WebVTT.
package main

import (
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
	apply(tuning{gcPercent: 100, threads: 4000})
	lib := newLibrary(60, 120)
	e := echo.New()
	e.HideBanner = true
	e.GET("/captions/:id", func(c echo.Context) error {
		id, err := strconv.Atoi(c.Param("id"))
		if err != nil {
			return echo.NewHTTPError(http.StatusBadRequest, "bad id")
		}
		cues, ok := lib.find(id, c.QueryParam("lang"))
		if !ok {
			return echo.ErrNotFound
		}
		return c.Blob(http.StatusOK, "text/vtt", webvtt(cues))
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
