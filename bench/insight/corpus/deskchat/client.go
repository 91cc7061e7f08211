package main

import (
	"encoding/json"
	"time"

	"corpus/truth"

	"github.com/gorilla/websocket"
)

type message struct {
	Room   string `json:"room"`
	Text   string `json:"text"`
	Number int    `json:"number"`

	t    *truth.Request
	from *client
	read time.Time
}

type client struct {
	ws  *websocket.Conn
	out chan message
}

// readPump hands what it reads to the hub.
func (c *client) readPump(h *hub) {
	defer close(c.out)
	defer c.ws.Close()
	for {
		_, raw, err := c.ws.ReadMessage()
		if err != nil {
			return
		}
		m := message{t: truth.Begin(), from: c, read: time.Now()}
		if err := json.Unmarshal(raw, &m); err != nil {
			return
		}
		h.in <- m
	}
}

// writePump writes what the hub has to say.
func (c *client) writePump() {
	for m := range c.out {
		raw, err := json.Marshal(m)
		if err != nil {
			continue
		}
		if c.ws.WriteMessage(websocket.TextMessage, raw) != nil {
			c.ws.Close()
		}
		m.t.End()
	}
}
