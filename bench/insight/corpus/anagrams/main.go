// Command anagrams finds the anagrams of a word.
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
	d := newDictionary(12_000)
	r := gin.New()
	r.GET("/anagrams/:word", func(c *gin.Context) {
		t := truth.Begin()
		defer t.End()
		found := t.Part("search")
		list := d.anagrams(c.Param("word"))
		found()
		c.JSON(http.StatusOK, gin.H{"word": c.Param("word"), "anagrams": list})
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
