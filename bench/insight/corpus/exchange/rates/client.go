// Package rates asks a bank for the rates of currencies.
package rates

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"
)

// ErrUnknown says that the bank does not know a currency.
var ErrUnknown = errors.New("unknown currency")

// Client asks the bank.
type Client struct {
	base string
	http *http.Client
}

// NewClient returns a client of the bank at base.
func NewClient(base string) *Client {
	return &Client{base: base, http: &http.Client{Timeout: time.Second, Transport: &http.Transport{MaxIdleConnsPerHost: 32}}}
}

type quote struct {
	Pair string  `json:"pair"`
	Rate float64 `json:"rate"`
}

// Rate returns how many units of to one unit of from is.
func (c *Client) Rate(ctx context.Context, from, to string) (float64, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, c.base+"/rates/"+from+to, nil)
	if err != nil {
		return 0, err
	}
	req.Header.Set("Accept", "application/json")
	res, err := c.http.Do(req)
	if err != nil {
		return 0, err
	}
	if res.StatusCode == http.StatusNotFound {
		return 0, fmt.Errorf("%s%s: %w", from, to, ErrUnknown)
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		return 0, fmt.Errorf("bank: %s", res.Status)
	}
	var q quote
	if err := json.NewDecoder(res.Body).Decode(&q); err != nil {
		return 0, err
	}
	io.Copy(io.Discard, res.Body)
	return q.Rate, nil
}
