// Package users is the client of the user service.
package users

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"
)

// User is a person.
type User struct {
	ID     string `json:"id"`
	Name   string `json:"name"`
	Avatar string `json:"avatar"`
}

// Client asks the service.
type Client struct {
	base string
	http *http.Client
}

// NewClient returns a client of the service at base.
func NewClient(base string) *Client {
	return &Client{base: base, http: &http.Client{Timeout: 2 * time.Second, Transport: &http.Transport{MaxIdleConnsPerHost: 64}}}
}

// Get returns one user.
func (c *Client) Get(ctx context.Context, id string) (User, error) {
	list, err := c.Many(ctx, []string{id})
	if err != nil {
		return User{}, err
	}
	if len(list) == 0 {
		return User{}, fmt.Errorf("no user %s", id)
	}
	return list[0], nil
}

// Many returns the users with these ids, in their order.
func (c *Client) Many(ctx context.Context, ids []string) ([]User, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, c.base+"/users?ids="+strings.Join(ids, ","), nil)
	if err != nil {
		return nil, err
	}
	res, err := c.http.Do(req)
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("users: %s", res.Status)
	}
	var list []User
	err = json.NewDecoder(res.Body).Decode(&list)
	io.Copy(io.Discard, res.Body)
	return list, err
}
