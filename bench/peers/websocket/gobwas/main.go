// Command gobwas is the client of github.com/gobwas/ws (see package echo).
package main

import (
	"context"
	"errors"

	"github.com/gobwas/ws"
	"github.com/gobwas/ws/wsutil"

	"github.com/gohone/hone/bench/peers/websocket/echo"
)

func main() { echo.Main(echo.Library{Name: "gobwas", Dial: dial}) }

func dial(addr string) (func(string) (string, error), error) {
	c, early, _, err := ws.Dial(context.Background(), "ws://"+addr+"/")
	if err == nil && early != nil {
		err = errors.New("the server sent a message that nothing asked for")
	}
	if err != nil {
		return nil, err
	}
	return func(message string) (string, error) {
		if err := wsutil.WriteClientText(c, []byte(message)); err != nil {
			return "", err
		}
		text, err := wsutil.ReadServerText(c)
		return string(text), err
	}, nil
}
