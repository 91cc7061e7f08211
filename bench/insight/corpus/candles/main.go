// Command candles sums trades up to the candles of a chart.
package main

import (
	"context"
	"errors"
	"log"
	"net"
	"net/http"
	"os"
	"os/signal"
	"strconv"
	"syscall"
	"time"

	"github.com/labstack/echo/v4"
)

func main() {
	m := newMarket(6000)
	e := echo.New()
	e.HideBanner = true
	e.GET("/candles", func(c echo.Context) error {
		width, err := strconv.ParseInt(c.QueryParam("width"), 10, 64)
		if err != nil || width < 60 || width > 3600 {
			return echo.NewHTTPError(http.StatusBadRequest, "width is from 60 to 3600 seconds")
		}
		return c.JSON(http.StatusOK, m.candles(width))
	})
	port := os.Getenv("PORT")
	if port == "" {
		port = "8080"
	}
	listener, err := net.Listen("tcp", "127.0.0.1:"+port)
	if err != nil {
		log.Fatalf("listen: %v", err)
	}
	server := &http.Server{Handler: e, ReadHeaderTimeout: 5 * time.Second}
	done := make(chan os.Signal, 1)
	signal.Notify(done, syscall.SIGTERM, syscall.SIGINT)
	go func() {
		if err := server.Serve(listener); err != nil && !errors.Is(err, http.ErrServerClosed) {
			log.Fatalf("serve: %v", err)
		}
	}()
	<-done
	shutdown, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	_ = server.Shutdown(shutdown)
}
