// Command farmshop shows what a farm shop sells.
package main

import (
	"context"
	"errors"
	"log"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/labstack/echo/v4"
)

func main() {
	e := echo.New()
	e.HideBanner, e.HidePort = true, true
	shop := newShop()
	e.Renderer = newPages(shop)
	e.GET("/goods/:group", shop.goods)
	e.GET("/healthz", func(c echo.Context) error { return c.String(http.StatusOK, "ok") })

	stop, cancel := signal.NotifyContext(context.Background(), syscall.SIGTERM, os.Interrupt)
	defer cancel()
	go func() {
		<-stop.Done()
		end, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		_ = e.Shutdown(end)
	}()
	if err := e.Start("127.0.0.1:" + os.Getenv("PORT")); !errors.Is(err, http.ErrServerClosed) {
		log.Fatal(err)
	}
}
