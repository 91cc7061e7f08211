package main

import (
	"bufio"
	"fmt"
	"net"
	"strings"
	"time"
)

// hub numbers the messages of each room and keeps the last ones.
type hub struct {
	in      chan message
	rooms   map[string][]message
	counts  map[string]int
	archive net.Conn
	replies *bufio.Reader
}

const keep = 300

func newHub(archive net.Conn) *hub {
	return &hub{in: make(chan message), rooms: map[string][]message{}, counts: map[string]int{}, archive: archive, replies: bufio.NewReader(archive)}
}

func (h *hub) run() {
	for m := range h.in {
		m.t.Since("hub", m.read)
		m.Text = strings.TrimSpace(m.Text)
		h.counts[m.Room]++
		m.Number = h.counts[m.Room]
		h.rooms[m.Room] = append(h.rooms[m.Room], m)
		if len(h.rooms[m.Room]) >= keep {
			stored := m.t.Part("archive")
			h.store(m.Room)
			stored()
		}
		m.from.out <- m
	}
}

// store gives the messages of a room to the archive.
func (h *hub) store(room string) {
	w := bufio.NewWriter(h.archive)
	for _, m := range h.rooms[room] {
		fmt.Fprintf(w, "%s %d %q\n", room, m.Number, m.Text)
	}
	fmt.Fprintln(w, "end")
	w.Flush()
	if _, err := h.replies.ReadString('\n'); err == nil {
		h.rooms[room] = h.rooms[room][:0]
	}
}

func dialArchive() (net.Conn, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	go func() {
		defer l.Close()
		c, err := l.Accept()
		if err != nil {
			return
		}
		for lines := bufio.NewScanner(c); lines.Scan(); {
			if lines.Text() == "end" {
				time.Sleep(45 * time.Millisecond)
				fmt.Fprintln(c, "stored")
			}
		}
	}()
	return net.Dial("tcp", l.Addr().String())
}
