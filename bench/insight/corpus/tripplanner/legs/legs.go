// Package legs finds the parts of a trip.
package legs

import (
	"bufio"
	"context"
	"fmt"
	"math"
	"net"
	"strings"
	"time"
)

// Leg is a part of a trip.
type Leg struct {
	By      string `json:"by"`
	Minutes int    `json:"minutes"`
	Stops   int    `json:"stops"`
}

// Walk computes the way to the stop.
func Walk(to string) Leg {
	far := 0.0
	for i, r := range to {
		far += math.Hypot(float64(r%7), float64(i%5))
	}
	return Leg{By: "foot", Minutes: int(far) % 20}
}

// Company answers questions about its lines.
type Company struct {
	by, addr string
	idle     chan *line
}

type line struct {
	net.Conn
	in *bufio.Reader
}

// Ask asks for the leg to a town.
func (c *Company) Ask(ctx context.Context, to string) (Leg, error) {
	l, err := c.line(ctx)
	if err != nil {
		return Leg{}, err
	}
	if _, err := fmt.Fprintln(l, to); err != nil {
		l.Close()
		return Leg{}, err
	}
	text, err := l.in.ReadString('\n')
	if err != nil {
		l.Close()
		return Leg{}, err
	}
	leg := Leg{By: c.by}
	if _, err := fmt.Sscan(strings.TrimSpace(text), &leg.Minutes, &leg.Stops); err != nil {
		return leg, err
	}
	select {
	case c.idle <- l:
	default:
		l.Close()
	}
	return leg, nil
}

func (c *Company) line(ctx context.Context) (*line, error) {
	select {
	case l := <-c.idle:
		return l, nil
	default:
	}
	var d net.Dialer
	conn, err := d.DialContext(ctx, "tcp", c.addr)
	if err != nil {
		return nil, err
	}
	return &line{conn, bufio.NewReader(conn)}, nil
}

// Operator starts a company's server. The railway asks its neighbour about towns abroad.
func Operator(by string) (*Company, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer c.Close()
				for towns := bufio.NewScanner(c); towns.Scan(); {
					if by == "rail" && strings.HasSuffix(towns.Text(), "-abroad") {
						time.Sleep(65 * time.Millisecond)
					}
					fmt.Fprintln(c, 20+len(towns.Text()), len(by))
				}
			}()
		}
	}()
	return &Company{by, l.Addr().String(), make(chan *line, 64)}, nil
}
