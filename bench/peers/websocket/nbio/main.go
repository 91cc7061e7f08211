// Command nbio is the client of github.com/lesismal/nbio (see package echo): an event loop instead of a goroutine that
// reads each connection.
package main

import (
	"net/http"
	"net/url"
	"sync"
	"time"

	"github.com/lesismal/nbio/logging"
	"github.com/lesismal/nbio/nbhttp"
	"github.com/lesismal/nbio/nbhttp/websocket"

	"github.com/gohone/hone/bench/peers/websocket/echo"
)

func main() { echo.Main(echo.Library{Name: "nbio", Dial: dial}) }

// engine is started by the first connection.
var engine = sync.OnceValues(func() (*nbhttp.Engine, error) {
	logging.SetLevel(logging.LevelError) // it writes to standard output
	e := nbhttp.NewEngine(nbhttp.Config{})
	return e, e.Start()
})

func dial(addr string) (func(string) (string, error), error) {
	e, err := engine()
	if err != nil {
		return nil, err
	}
	echoes := make(chan string, 1)
	up := websocket.NewUpgrader()
	up.OnMessage(func(_ *websocket.Conn, _ websocket.MessageType, text []byte) { echoes <- string(text) })
	d := &websocket.Dialer{Engine: e, Upgrader: up, DialTimeout: 10 * time.Second}
	at := url.URL{Scheme: "ws", Host: addr, Path: "/"}
	c, _, err := d.Dial(at.String(), http.Header{})
	if err != nil {
		return nil, err
	}
	return func(message string) (string, error) {
		if err := c.WriteMessage(websocket.TextMessage, []byte(message)); err != nil {
			return "", err
		}
		return <-echoes, nil
	}, nil
}
