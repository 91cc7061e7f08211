// Command fixed answers prices, which it asks a slow supplier for and keeps for a moment.
package main

import (
	"bufio"
	"flag"
	"fmt"
	"log"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/gohone/hone/internal/insight/advice/testdata/backend"
)

// supplier is reached over connections that are kept.
type supplier struct {
	address string
	idle    chan net.Conn
}

func (s *supplier) dial() (net.Conn, error) {
	select {
	case c := <-s.idle:
		return c, nil
	default:
		return net.Dial("tcp", s.address)
	}
}

func (s *supplier) ask(article string) (string, error) {
	c, err := s.dial()
	if err != nil {
		return "", err
	}
	if _, err := fmt.Fprintln(c, article); err != nil {
		c.Close()
		return "", err
	}
	price, err := bufio.NewReaderSize(c, 64).ReadString('\n')
	if err != nil {
		c.Close()
		return "", err
	}
	select {
	case s.idle <- c:
	default:
		c.Close()
	}
	return price, nil
}

type quote struct {
	price string
	until time.Time
}

// desk keeps quotes for a while.
type desk struct {
	from *supplier
	keep time.Duration

	mu     sync.Mutex
	quotes map[string]quote
}

func (d *desk) price(article string) (string, error) {
	d.mu.Lock()
	q, ok := d.quotes[article]
	d.mu.Unlock()
	if ok && time.Now().Before(q.until) {
		return q.price, nil
	}
	price, err := d.from.ask(article)
	if err != nil {
		return "", err
	}
	d.mu.Lock()
	d.quotes[article] = quote{price, time.Now().Add(d.keep)}
	d.mu.Unlock()
	return price, nil
}

func (d *desk) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	price, err := d.price(r.URL.Query().Get("article"))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	w.Write([]byte(price))
}

func main() {
	addr := flag.String("addr", "127.0.0.1:8080", "`host:port` to listen on")
	flag.Parse()
	address, err := backend.Start(2 * time.Millisecond)
	if err != nil {
		log.Fatal(err)
	}
	d := &desk{from: &supplier{address: address, idle: make(chan net.Conn, 64)}, keep: 30 * time.Millisecond, quotes: map[string]quote{}}
	log.Fatal(http.ListenAndServe(*addr, d))
}
