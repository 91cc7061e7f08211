// Command svc is one of the services, with its defect or fixed.
package main

import (
	"context"
	"database/sql"
	"encoding/json"
	"flag"
	"log"
	"net/http"
	"slices"

	"shops/db"
	"shops/services"
)

func main() {
	address := flag.String("addr", "127.0.0.1:8080", "address to listen at")
	url := flag.String("db", "", "postgres://... or the file of an SQLite database")
	name := flag.String("service", "", "name of the service")
	fixed := flag.Bool("fixed", false, "without the defect")
	figures := flag.Bool("figures", false, "count what the database does, and show it at /figures")
	flag.Parse()
	if err := serve(*address, *url, *name, *fixed, *figures); err != nil {
		log.Fatal(err)
	}
}

func serve(address, url, name string, fixed, figures bool) error {
	i := slices.IndexFunc(services.All, func(s services.Service) bool { return s.Name == name })
	if i < 0 {
		log.Fatalf("no service %q", name)
	}
	d, err := open(url, figures)
	if err != nil {
		return err
	}
	if err := db.Fill(context.Background(), d, services.All[i].Setup); err != nil {
		return err
	}
	h, err := services.All[i].New(d, fixed)
	if err != nil {
		return err
	}
	http.Handle("/", h)
	return http.ListenAndServe(address, nil)
}

func open(url string, figures bool) (*sql.DB, error) {
	if !figures {
		return db.Open(url)
	}
	d, counter, err := db.Counted(url)
	http.HandleFunc("/figures", func(w http.ResponseWriter, _ *http.Request) {
		_ = json.NewEncoder(w).Encode(counter.Read(d)) // a client that is gone needs no answer
	})
	return d, err
}
