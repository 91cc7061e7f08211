// Command simulate estimates how long queues at a counter get.
package main

import (
	"errors"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/signal"
	"strconv"
	"syscall"

	"github.com/gin-gonic/gin"
)

func main() {
	gin.SetMode(gin.ReleaseMode)
	g := gin.New()
	g.GET("/simulate", func(c *gin.Context) {
		steps, err1 := strconv.Atoi(c.Query("steps"))
		seed, err2 := strconv.ParseUint(c.Query("seed"), 10, 64)
		if err := errors.Join(err1, err2); err != nil || steps < 1 || steps > 10_000_000 {
			c.JSON(http.StatusBadRequest, gin.H{"error": "bad steps or seed"})
			return
		}
		res, err := run(c.Request.Context(), steps, seed)
		if err != nil {
			c.JSON(http.StatusServiceUnavailable, gin.H{"error": err.Error()})
			return
		}
		c.JSON(http.StatusOK, res)
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
	hs := http.Server{Handler: g}
	sigs := make(chan os.Signal, 1)
	signal.Notify(sigs, syscall.SIGTERM)
	go func() {
		<-sigs
		_ = hs.Close()
	}()
	slog.Info("ready", "addr", l.Addr().String())
	_ = hs.Serve(l)
}
