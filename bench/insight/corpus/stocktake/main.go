// Command stocktake counts articles over the shelves of a store.
package main

import (
	"cmp"
	"context"
	"errors"
	"log"
	"net"
	"net/http"
	"os"
	"os/signal"
	"strconv"
	"syscall"

	"github.com/gin-gonic/gin"
)

func main() {
	s := newStock(200, 60)
	gin.SetMode(gin.ReleaseMode)
	g := gin.New()
	g.GET("/count", func(c *gin.Context) {
		sku, err := strconv.Atoi(c.Query("sku"))
		if err != nil {
			c.Status(http.StatusBadRequest)
			return
		}
		c.JSON(http.StatusOK, s.count(sku))
	})
	g.POST("/move", func(c *gin.Context) {
		from, err1 := strconv.Atoi(c.Query("from"))
		to, err2 := strconv.Atoi(c.Query("to"))
		if err := errors.Join(err1, err2); err != nil || !s.move(from, to) {
			c.Status(http.StatusBadRequest)
			return
		}
		c.Status(http.StatusNoContent)
	})
	ln, err := net.Listen("tcp", "127.0.0.1:"+cmp.Or(os.Getenv("PORT"), "8080"))
	if err != nil {
		log.Fatal(err)
	}
	srv := &http.Server{Handler: g}
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
