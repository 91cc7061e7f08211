// Command bundles serves the scripts and styles of a web application from memory.
package main

import (
	"cmp"
	"context"
	"fmt"
	"log"
	"net"
	"net/http"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"
)

func main() {
	lib := newLibrary()
	lib.add("/app.js", "text/javascript", script(380, "view"))
	lib.add("/vendor.js", "text/javascript", script(900, "lib"))
	lib.add("/style.css", "text/css", strings.Repeat(".card { margin: 4px; color: #333 }\n", 300))
	handler := timing(lib)
	ln, err := net.Listen("tcp", "127.0.0.1:"+cmp.Or(os.Getenv("PORT"), "8080"))
	if err != nil {
		log.Fatal(err)
	}
	srv := &http.Server{Handler: handler}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, os.Interrupt)
	defer stop()
	go func() {
		<-ctx.Done()
		srv.Close()
	}()
	if err := srv.Serve(ln); err != http.ErrServerClosed {
		log.Fatal(err)
	}
}

func script(n int, name string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "export function %s%d(a, b) { return a * %d + b.%s }\n", name, i, i*i, name)
	}
	return b.String()
}

func timing(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		start := time.Now()
		next.ServeHTTP(w, r)
		if d := time.Since(start); d > time.Second {
			log.Printf("%s took %v", r.URL.Path, d)
		}
	})
}
