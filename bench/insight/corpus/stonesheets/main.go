// Command stonesheets has the data sheets of stones.
package main

import (
	"context"
	"log"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/gin-gonic/gin"
)

func main() {
	gin.SetMode(gin.ReleaseMode)
	engine := gin.New()
	a := &api{sheets: newSheets(archive{})}
	engine.GET("/stones/:id", a.stone)
	engine.GET("/stones/:id/headings", a.headings)
	server := &http.Server{Addr: "127.0.0.1:" + os.Getenv("PORT"), Handler: engine}
	ctx, cancel := signal.NotifyContext(context.Background(), syscall.SIGTERM, os.Interrupt)
	defer cancel()
	go func() {
		<-ctx.Done()
		end, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		_ = server.Shutdown(end)
	}()
	if err := server.ListenAndServe(); err != http.ErrServerClosed {
		log.Fatal(err)
	}
}
