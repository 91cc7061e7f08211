// Command engraver turns names into the paths of an engraving machine.
package main

import (
	"context"
	"log"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"

	"corpus/truth"

	"github.com/gin-gonic/gin"
)

func main() {
	gin.SetMode(gin.ReleaseMode)
	shop := newWorkshop(2)
	e := gin.New()
	e.Use(gin.Recovery())
	e.GET("/plates/:text", shop.plate)
	srv := &http.Server{Addr: "127.0.0.1:" + os.Getenv("PORT"), Handler: e}
	ch := make(chan os.Signal, 1)
	signal.Notify(ch, syscall.SIGTERM)
	go func() {
		if err := srv.ListenAndServe(); err != nil && err != http.ErrServerClosed {
			log.Fatal(err)
		}
	}()
	<-ch
	ctx, cancel := context.WithTimeout(context.Background(), 500*time.Millisecond)
	defer cancel()
	_ = srv.Shutdown(ctx)
	if err := truth.Save(); err != nil {
		log.Println(err)
	}
}
