// Command fixed resolves names of a directory to the text of their owner. Names rarely change, and
// a name must not change while it is resolved.
package main

import (
	"bufio"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/gohone/hone/internal/insight/advice/testdata/backend"
)

var errName = errors.New("no such name")

// remote holds one of the connections to the owners while it asks.
type remote struct{ idle chan *bufio.ReadWriter }

func connect(address string, n int) (*remote, error) {
	r := &remote{idle: make(chan *bufio.ReadWriter, n)}
	for range n {
		c, err := net.Dial("tcp", address)
		if err != nil {
			return nil, err
		}
		r.idle <- bufio.NewReadWriter(bufio.NewReader(c), bufio.NewWriter(c))
	}
	return r, nil
}

func (r *remote) text(owner int) (string, error) {
	c := <-r.idle
	defer func() { r.idle <- c }()
	fmt.Fprintf(c, "owner %d\n", owner)
	if err := c.Flush(); err != nil {
		return "", err
	}
	return c.ReadString('\n')
}

// directory is names and who owns them.
type directory struct {
	sync.RWMutex
	owners map[string]int
	remote *remote
}

func (d *directory) assign(name string, owner int) {
	d.Lock()
	defer d.Unlock()
	d.owners[name] = owner
}

func (d *directory) resolve(name string) (string, error) {
	d.RLock()
	defer d.RUnlock()
	owner, ok := d.owners[name]
	if !ok {
		return "", errName
	}
	return d.remote.text(owner)
}

func (d *directory) get(w http.ResponseWriter, r *http.Request) {
	text, err := d.resolve(r.PathValue("name"))
	switch {
	case errors.Is(err, errName):
		http.NotFound(w, r)
	case err != nil:
		http.Error(w, err.Error(), http.StatusBadGateway)
	default:
		_, _ = io.WriteString(w, text)
	}
}

func main() {
	addr := flag.String("addr", "127.0.0.1:8080", "`host:port` to listen on")
	flag.Parse()
	address, err := backend.Start(time.Millisecond)
	if err != nil {
		log.Fatal(err)
	}
	r, err := connect(address, 32)
	if err != nil {
		log.Fatal(err)
	}
	d := &directory{owners: map[string]int{}, remote: r}
	for i := range 200 {
		d.assign(fmt.Sprintf("name%d", i), i*i)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /names/{name}", d.get)
	mux.HandleFunc("PUT /names/{name}", func(w http.ResponseWriter, r *http.Request) {
		d.assign(r.PathValue("name"), int(r.ContentLength))
	})
	log.Fatal(http.ListenAndServe(*addr, mux))
}
