// Command catalogue lists the articles that a query asks for.
package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"log"
	"net"
	"net/http"
	"os"
	"os/signal"
	"slices"
	"syscall"
)

func main() {
	c := &catalogue{articles: stock(120)}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /articles", c.list)
	ln, err := net.Listen("tcp", "127.0.0.1:"+cmp.Or(os.Getenv("PORT"), "8080"))
	if err != nil {
		log.Fatal(err)
	}
	srv := &http.Server{Handler: mux}
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

type article struct {
	ID    int    `json:"id"`
	Name  string `json:"name"`
	Color string `json:"color"`
	Brand string `json:"brand"`
	Cents int    `json:"cents"`
}

func stock(n int) []article {
	colors, brands := []string{"red", "blue", "green"}, []string{"north", "south", "acme", "zeta"}
	out := make([]article, n)
	for i := range out {
		out[i] = article{ID: i, Name: fmt.Sprintf("Article %d", i), Color: colors[i%3], Brand: brands[i%4], Cents: 100 + i*137%9000}
	}
	return out
}

type catalogue struct{ articles []article }

func (c *catalogue) list(w http.ResponseWriter, r *http.Request) {
	found := filter{r.URL.Query()}.apply(c.articles)
	slices.SortFunc(found, func(a, b article) int { return cmp.Compare(a.Cents, b.Cents) })
	w.Header().Set("Content-Type", "application/json")
	enc := json.NewEncoder(w)
	enc.SetIndent("", " ")
	enc.Encode(struct {
		Count    int       `json:"count"`
		Articles []article `json:"articles"`
	}{len(found), found})
}
