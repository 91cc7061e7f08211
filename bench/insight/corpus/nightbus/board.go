package main

import (
	"context"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"
)

type board struct {
	companies []string
	client    *http.Client
}

func newBoard(companies []string) *board {
	return &board{companies: companies, client: &http.Client{
		Timeout:   2 * time.Second,
		Transport: &http.Transport{MaxIdleConnsPerHost: 64},
	}}
}

// stop shows the departures of all companies at a stop in the order of their times.
func (b *board) stop(w http.ResponseWriter, r *http.Request) {
	stop := r.PathValue("stop")
	answers := make([][]string, len(b.companies))
	g, ctx := errgroup.WithContext(r.Context())
	for i, company := range b.companies {
		g.Go(func() error {
			lines, err := b.ask(ctx, company, stop)
			answers[i] = lines
			return err
		})
	}
	if err := g.Wait(); err != nil {
		http.Error(w, "no departures are known", http.StatusBadGateway)
		return
	}
	all := slices.Concat(answers...)
	slices.Sort(all)
	io.WriteString(w, strings.Join(all, "\n"))
}

func (b *board) ask(ctx context.Context, company, stop string) ([]string, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, company+"?stop="+url.QueryEscape(stop), nil)
	if err != nil {
		return nil, err
	}
	resp, err := b.client.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		return nil, err
	}
	return strings.Split(strings.TrimSpace(string(text)), "\n"), nil
}
