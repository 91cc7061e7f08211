package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/url"
	"strconv"
	"time"
)

type gateway struct {
	base      string
	transport *http.Transport
}

func (g *gateway) within(limit time.Duration) *http.Client {
	return &http.Client{Transport: g.transport, Timeout: limit}
}

func (g *gateway) fetch(ctx context.Context, symbol string, limit time.Duration) (q quote, err error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, g.base+"/trade?s="+url.QueryEscape(symbol), nil)
	if err != nil {
		return q, err
	}
	res, err := g.within(limit).Do(req)
	if err != nil {
		return q, err
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		return q, fmt.Errorf("exchange: %s", res.Status)
	}
	err = json.NewDecoder(res.Body).Decode(&q)
	io.Copy(io.Discard, res.Body)
	return q, err
}

func (g *gateway) quote(w http.ResponseWriter, r *http.Request) {
	ms, err := strconv.Atoi(r.FormValue("ms"))
	if err != nil || ms < 1 || ms > 5000 {
		http.Error(w, "ms is from 1 to 5000", http.StatusBadRequest)
		return
	}
	q, err := g.fetch(r.Context(), r.FormValue("s"), time.Duration(ms)*time.Millisecond)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(map[string]any{"symbol": q.Symbol, "bid": q.Bid, "ask": q.Ask, "spread": math.Round((q.Ask-q.Bid)*100) / 100})
}
