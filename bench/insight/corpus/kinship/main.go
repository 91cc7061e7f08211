// Command kinship tells how closely two animals of a breed are related.
package main

import (
	"context"
	"log"
	"net/http"
	"os"
	"os/signal"
	"strconv"
	"syscall"
	"time"

	"corpus/truth"

	"github.com/gin-gonic/gin"
)

func main() {
	gin.SetMode(gin.ReleaseMode)
	h := newHerd(12)
	r := gin.New()
	r.Use(gin.Recovery())
	r.GET("/kinship/:a/:b", func(c *gin.Context) {
		t := truth.Begin()
		defer t.End()
		a, errA := strconv.Atoi(c.Param("a"))
		b, errB := strconv.Atoi(c.Param("b"))
		if errA != nil || errB != nil || !h.has(a) || !h.has(b) {
			c.String(http.StatusNotFound, "no such animal")
			return
		}
		computed := t.Part("coefficient")
		k := h.coefficient(a, b)
		computed()
		c.JSON(http.StatusOK, gin.H{"a": h.animals[a].name, "b": h.animals[b].name, "kinship": k, "inbreeding": h.coefficient(0, 0) - 0.5})
	})
	srv := &http.Server{Addr: "127.0.0.1:" + os.Getenv("PORT"), Handler: r}
	go func() {
		if err := srv.ListenAndServe(); err != http.ErrServerClosed {
			log.Fatal(err)
		}
	}()
	sig := make(chan os.Signal, 1)
	signal.Notify(sig, syscall.SIGTERM)
	<-sig
	ctx, cancel := context.WithTimeout(context.Background(), 500*time.Millisecond)
	defer cancel()
	srv.Shutdown(ctx)
	if err := truth.Save(); err != nil {
		log.Print(err)
	}
}
