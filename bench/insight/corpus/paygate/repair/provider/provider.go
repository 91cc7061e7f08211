// Package provider charges cards.
package provider

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// Provider is the client of a payment provider.
type Provider struct {
	base   string
	secret string
	client *http.Client
}

// New returns a client of the provider at base.
func New(base, secret string, timeout time.Duration) *Provider {
	tr := &http.Transport{TLSHandshakeTimeout: time.Second, IdleConnTimeout: 30 * time.Second, MaxIdleConnsPerHost: 32}
	return &Provider{base: base, secret: secret, client: &http.Client{Transport: tr, Timeout: timeout}}
}

func (p *Provider) sign(body string) string {
	m := hmac.New(sha256.New, []byte(p.secret))
	io.WriteString(m, body)
	return hex.EncodeToString(m.Sum(nil))
}

// Charge takes money from a card and returns the id of the charge.
func (p *Provider) Charge(ctx context.Context, order, card string, cents int64, currency string) (string, error) {
	form := url.Values{"order": {order}, "source": {card}, "amount": {strconv.FormatInt(cents, 10)}, "currency": {currency}}.Encode()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, p.base+"/charges", strings.NewReader(form))
	if err != nil {
		return "", err
	}
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	req.Header.Set("X-Signature", p.sign(form))
	res, err := p.client.Do(req)
	if err != nil {
		return "", fmt.Errorf("charge %s: %w", order, err)
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		return "", fmt.Errorf("charge %s: %s", order, res.Status)
	}
	var answer struct {
		ID string `json:"id"`
	}
	if err := json.NewDecoder(res.Body).Decode(&answer); err != nil {
		return "", fmt.Errorf("charge %s: %w", order, err)
	}
	io.Copy(io.Discard, res.Body)
	return answer.ID, nil
}
