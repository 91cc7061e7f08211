// Command coder is the client of github.com/coder/websocket (see package echo).
package main

import (
	"context"

	"github.com/coder/websocket"

	"github.com/gohone/hone/bench/peers/websocket/echo"
)

func main() { echo.Main(echo.Library{Name: "coder", Dial: dial}) }

func dial(addr string) (func(string) (string, error), error) {
	ctx := context.Background()
	c, _, err := websocket.Dial(ctx, "ws://"+addr+"/", nil)
	if err != nil {
		return nil, err
	}
	return func(message string) (string, error) {
		if err := c.Write(ctx, websocket.MessageText, []byte(message)); err != nil {
			return "", err
		}
		_, text, err := c.Read(ctx)
		return string(text), err
	}, nil
}
