// Package services are small HTTP services with a database, most of which use it badly. With its defect a service is slow for the reason
// that a comment says, fixed it is not. Decoys do something that only looks like one of the defects.
//
// The comments of a service are its truth:
//
//	//load: GET /orders?page={rand:40}, 8 connections, 200/s     what clients ask for; without a rate each sends when it has an answer
//	//truth: n-plus-one: select name from customers where id = $1     the kind of the defect and the statement, at the line of the call
//	//truth: decoy: WHY
//
// It knows nothing of what judges it.
package services

import (
	"context"
	"database/sql"
	"encoding/json"
	"log"
	"net/http"
	"strconv"
	"time"
)

// Service is one of them.
type Service struct {
	Name string
	// Setup are statements that make its tables, and New its handler.
	Setup []string
	New   func(d *sql.DB, fixed bool) (http.Handler, error)
}

// All are the services, each a file of this package.
var All = []Service{orders, forum, parcels, visits, tickets, members, ledger, bookings, dashboard, report, kiosk, intake, changelog, helpdesk, brochure, inbox, meters, invoices, fares, vouchers}

// rows makes a statement that inserts n rows into a table, each by an expression of its number i. Both databases take it.
func rows(n int, table, expression string) string {
	return "with recursive n(i) as (select 1 union all select i + 1 from n where i < " + strconv.Itoa(n) + ") insert into " + table + " select " + expression + " from n"
}

// handler answers with what do returns, as JSON.
func handler(do func(ctx context.Context, r *http.Request) (any, error)) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		v, err := do(r.Context(), r)
		if err != nil {
			log.Print(r.URL, ": ", err)
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		_ = json.NewEncoder(w).Encode(v) // a client that is gone needs no answer
	})
}

// number is a value of the query.
func number(r *http.Request, name string) int {
	n, _ := strconv.Atoi(r.URL.Query().Get(name))
	return n
}

// ask asks another service, which takes so long. It is not there: what matters is that the caller waits.
func ask(took time.Duration) { time.Sleep(took) }
