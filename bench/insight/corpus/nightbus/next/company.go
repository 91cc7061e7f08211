package main

import (
	"context"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// A company is asked for what leaves.
type company struct {
	url    string
	client *http.Client
}

func newClient() *http.Client {
	return &http.Client{
		Timeout:   2 * time.Second,
		Transport: &http.Transport{MaxIdleConnsPerHost: 64},
	}
}

func (c *company) departures(ctx context.Context, stop string) ([]string, error) {
	text, err := c.get(ctx, url.Values{"stop": {stop}})
	if err != nil {
		return nil, err
	}
	return strings.Split(strings.TrimSpace(text), "\n"), nil
}

func (c *company) get(ctx context.Context, query url.Values) (string, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, c.url+"?"+query.Encode(), nil)
	if err != nil {
		return "", err
	}
	resp, err := c.client.Do(req)
	if err != nil {
		return "", err
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	return string(text), err
}
