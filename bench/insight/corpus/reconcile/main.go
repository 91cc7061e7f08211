// Command reconcile tells what has to change so that a cluster is as wanted.
package main

import (
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/signal"
	"syscall"

	"github.com/gin-gonic/gin"
)

func main() {
	c := &cluster{wanted: map[string][]resource{}, actual: map[string]map[string]resource{}}
	c.seed("web", 40)
	c.seed("batch", 60)
	gin.SetMode(gin.ReleaseMode)
	g := gin.New()
	g.Use(gin.Recovery())
	g.POST("/reconcile/:space", func(ctx *gin.Context) {
		plan, ok := c.plan(ctx.Param("space"))
		if !ok {
			ctx.Status(http.StatusNotFound)
			return
		}
		ctx.JSON(http.StatusOK, plan)
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
