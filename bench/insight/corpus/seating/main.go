// Command seating shows which seats of a show are free.
package main

import (
	"context"
	"errors"
	"log"
	"math"
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
	h := newHall(30, 40)
	shows := map[string]*show{"1": newShow(h, 3), "2": newShow(h, 5)}
	e := echo.New()
	e.HideBanner, e.HidePort = true, true
	e.GET("/shows/:id/seats", func(c echo.Context) error {
		s, ok := shows[c.Param("id")]
		if !ok {
			return echo.ErrNotFound
		}
		limit := math.MaxInt
		if m := c.QueryParam("max"); m != "" {
			n, err := strconv.Atoi(m)
			if err != nil {
				return echo.NewHTTPError(http.StatusBadRequest, "max is a price")
			}
			limit = n
		}
		cells := h.view(s.tickets())
		return c.JSON(http.StatusOK, summarize(cells, limit))
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
