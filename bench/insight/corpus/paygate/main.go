// Command paygate takes payments and has a provider charge them.
package main

import (
	"context"
	"corpus/paygate/provider"
	"errors"
	"log"
	"net"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/labstack/echo/v4"
)

type payment struct {
	Order    string `json:"order"`
	Cents    int64  `json:"cents"`
	Currency string `json:"currency"`
	Card     string `json:"card"`
}

func (p *payment) check() error {
	switch {
	case p.Order == "" || p.Card == "":
		return errors.New("order and card are needed")
	case p.Cents <= 0 || p.Cents > 1_000_000:
		return errors.New("bad amount")
	case len(p.Currency) != 3:
		return errors.New("bad currency")
	}
	return nil
}

func main() {
	bank, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	go http.Serve(bank, provider.Fake())
	p := provider.New("http://"+bank.Addr().String(), "secret-7", 2*time.Second)
	e := echo.New()
	e.HideBanner = true
	e.POST("/pay", func(c echo.Context) error {
		var in payment
		if err := c.Bind(&in); err != nil {
			return echo.NewHTTPError(http.StatusBadRequest, err.Error())
		}
		if err := in.check(); err != nil {
			return echo.NewHTTPError(http.StatusUnprocessableEntity, err.Error())
		}
		id, err := p.Charge(c.Request().Context(), in.Order, in.Card, in.Cents, in.Currency)
		if err != nil {
			return echo.NewHTTPError(http.StatusBadGateway, err.Error())
		}
		return c.JSON(http.StatusOK, map[string]string{"charge": id, "state": "paid"})
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
