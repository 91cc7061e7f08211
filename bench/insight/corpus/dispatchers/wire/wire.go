// Package wire is what dispatcher and worker say to each other.
package wire

import (
	"bufio"
	"encoding/gob"
	"net"
)

// Job is work to do.
type Job struct {
	Kind   string         `json:"kind"`
	Source string         `json:"source"`
	Params map[string]int `json:"params"`
	Tags   []string       `json:"tags"`
}

// Result is what a job came to.
type Result struct {
	Key    string   `json:"key"`
	Cost   int      `json:"cost"`
	Labels []string `json:"labels"`
}

// Link sends and receives messages on a connection.
type Link struct {
	conn net.Conn
	r    *bufio.Reader
}

// NewLink wraps a connection.
func NewLink(c net.Conn) *Link { return &Link{conn: c, r: bufio.NewReader(c)} }

// Send writes one message.
func (l *Link) Send(m any) error {
	return gob.NewEncoder(l.conn).Encode(m)
}

// Receive reads one message into m.
func (l *Link) Receive(m any) error {
	return gob.NewDecoder(l.r).Decode(m)
}
