// Command tripplanner puts a trip together from a walk, a bus and a train.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"log"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"

	"corpus/tripplanner/legs"
	"corpus/truth"

	"github.com/labstack/echo/v4"
	"github.com/labstack/echo/v4/middleware"
	"golang.org/x/sync/errgroup"
)

type trip struct {
	To      string     `json:"to"`
	Legs    []legs.Leg `json:"legs"`
	Minutes int        `json:"minutes"`
}

func main() {
	bus, err := legs.Operator("bus")
	if err != nil {
		log.Fatal(err)
	}
	rail, err := legs.Operator("rail")
	if err != nil {
		log.Fatal(err)
	}
	e := echo.New()
	e.HideBanner, e.HidePort = true, true
	e.Use(middleware.Recover())
	e.GET("/trips/:to", func(c echo.Context) error {
		t := truth.Begin()
		defer t.End()
		out := trip{To: c.Param("to"), Legs: make([]legs.Leg, 3)}
		g, ctx := errgroup.WithContext(c.Request().Context())
		g.Go(func() error { out.Legs[0] = legs.Walk(out.To); return nil })
		g.Go(func() (err error) { out.Legs[1], err = bus.Ask(ctx, out.To); return })
		g.Go(func() (err error) { out.Legs[2], err = rail.Ask(ctx, out.To); return })
		together := t.Part("legs")
		err := g.Wait()
		together()
		if err != nil {
			return echo.NewHTTPError(http.StatusBadGateway, err.Error())
		}
		for _, l := range out.Legs {
			out.Minutes += l.Minutes
		}
		c.Response().Header().Set(echo.HeaderContentType, echo.MIMEApplicationJSON)
		return json.NewEncoder(c.Response()).Encode(out)
	})
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	go func() {
		if err := e.Start("127.0.0.1:" + os.Getenv("PORT")); !errors.Is(err, http.ErrServerClosed) {
			log.Fatal(err)
		}
	}()
	<-ctx.Done()
	end, cancel := context.WithTimeout(context.Background(), 500*time.Millisecond)
	defer cancel()
	e.Shutdown(end)
	if err := truth.Save(); err != nil {
		log.Print(err)
	}
}
