// Command deskchat connects those who ask with those who help, over WebSocket.
package main

import (
	"log"
	"net/http"
	"os"
	"os/signal"
	"syscall"

	"corpus/truth"

	"github.com/gorilla/websocket"
)

func main() {
	archive, err := dialArchive()
	if err != nil {
		log.Fatal(err)
	}
	h := newHub(archive)
	go h.run()
	up := websocket.Upgrader{ReadBufferSize: 2048, WriteBufferSize: 2048}
	http.HandleFunc("/desk", func(w http.ResponseWriter, r *http.Request) {
		ws, err := up.Upgrade(w, r, nil)
		if err != nil {
			return
		}
		c := &client{ws: ws, out: make(chan message, 16)}
		go c.writePump()
		c.readPump(h)
	})
	term := make(chan os.Signal, 1)
	signal.Notify(term, syscall.SIGTERM)
	go func() { log.Fatal(http.ListenAndServe("127.0.0.1:"+os.Getenv("PORT"), nil)) }()
	<-term
	if err := truth.Save(); err != nil {
		log.Print(err)
	}
}
