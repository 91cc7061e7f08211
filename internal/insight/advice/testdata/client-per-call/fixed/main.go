// Command fixed shows the weather of a place, which it fetches from a service of its own network.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"log"
	"net"
	"net/http"
	"net/url"
	"time"
)

type weather struct {
	Place   string  `json:"place"`
	Celsius float64 `json:"celsius"`
	Wind    int     `json:"wind"`
}

// station is the service that knows the weather.
func station() (base string, err error) {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /v1/weather", func(w http.ResponseWriter, r *http.Request) {
		place := r.URL.Query().Get("place")
		_ = json.NewEncoder(w).Encode(weather{Place: place, Celsius: 21.5, Wind: len(place)})
	})
	go func() { log.Print(http.Serve(ln, mux)) }()
	return "http://" + ln.Addr().String(), nil
}

// api asks the station.
type api struct {
	base    string
	timeout time.Duration
	client  *http.Client
}

func (a *api) fetch(ctx context.Context, place string) (found weather, err error) {
	ctx, cancel := context.WithTimeout(ctx, a.timeout)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, a.base+"/v1/weather?place="+url.QueryEscape(place), nil)
	if err != nil {
		return found, err
	}
	resp, err := a.client.Do(req)
	if err != nil {
		return found, err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return found, fmt.Errorf("station: %s", resp.Status)
	}
	return found, json.NewDecoder(resp.Body).Decode(&found)
}

func (a *api) show(w http.ResponseWriter, r *http.Request) {
	found, err := a.fetch(r.Context(), r.PathValue("place"))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	fmt.Fprintf(w, "%s: %.1f degrees, wind %d\n", found.Place, found.Celsius, found.Wind)
}

func main() {
	addr := flag.String("addr", "127.0.0.1:8080", "`host:port` to listen on")
	flag.Parse()
	base, err := station()
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	const timeout = time.Second
	client := &http.Client{Transport: &http.Transport{ResponseHeaderTimeout: timeout, MaxIdleConnsPerHost: 64}}
	mux.HandleFunc("GET /weather/{place}", (&api{base: base, timeout: timeout, client: client}).show)
	log.Fatal(http.ListenAndServe(*addr, mux))
}
