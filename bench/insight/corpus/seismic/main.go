// Command seismic finds the peaks in the measurements of stations.
package main

import (
	"log/slog"
	"math"
	"net"
	"net/http"
	"os"
	"os/signal"
	"strconv"
	"syscall"

	"github.com/labstack/echo/v4"
)

type station struct{ samples []float64 }

func record(n int, f float64) *station {
	s := &station{samples: make([]float64, n)}
	for i := range s.samples {
		x := float64(i)
		s.samples[i] = math.Sin(x/f)*3 + math.Sin(x/7)*float64(i%31)/10 + 1
	}
	return s
}

func main() {
	stations := map[string]*station{"alp": record(1500, 40), "sea": record(1100, 90)}
	e := echo.New()
	e.HideBanner = true
	e.GET("/stations/:name/peaks", func(c echo.Context) error {
		s, ok := stations[c.Param("name")]
		if !ok {
			return echo.ErrNotFound
		}
		width, err := strconv.Atoi(c.QueryParam("window"))
		if err != nil || width < 1 || width > 512 {
			return echo.NewHTTPError(http.StatusBadRequest, "bad window")
		}
		spectrum := power(s.samples[:min(512, len(s.samples))], 72)
		return c.JSON(http.StatusOK, map[string]any{"peaks": peaks(s.samples, width), "strongest": strongest(spectrum)})
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
	hs := http.Server{Handler: e}
	sigs := make(chan os.Signal, 1)
	signal.Notify(sigs, syscall.SIGTERM)
	go func() {
		<-sigs
		_ = hs.Close()
	}()
	slog.Info("ready", "addr", l.Addr().String())
	_ = hs.Serve(l)
}
