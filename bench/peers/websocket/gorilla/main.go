// Command gorilla is github.com/gorilla/websocket as server and client (see package echo).
package main

import (
	"net/http"

	"github.com/gorilla/websocket"

	"github.com/gohone/hone/bench/peers/websocket/echo"
)

func main() { echo.Main(echo.Library{Name: "gorilla", Serve: serve, Dial: dial}) }

func serve(addr string) error {
	var up websocket.Upgrader
	return http.ListenAndServe(addr, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c, err := up.Upgrade(w, r, nil)
		if err != nil {
			return // it has been answered
		}
		defer c.Close()
		for {
			kind, text, err := c.ReadMessage()
			if err != nil || c.WriteMessage(kind, text) != nil {
				return
			}
		}
	}))
}

func dial(addr string) (func(string) (string, error), error) {
	c, _, err := websocket.DefaultDialer.Dial("ws://"+addr+"/", nil)
	if err != nil {
		return nil, err
	}
	return func(message string) (string, error) {
		if err := c.WriteMessage(websocket.TextMessage, []byte(message)); err != nil {
			return "", err
		}
		_, text, err := c.ReadMessage()
		return string(text), err
	}, nil
}
