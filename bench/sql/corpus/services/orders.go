package services

import (
	"context"
	"database/sql"
	"net/http"
)

//load: GET /?page={rand:40}, 8 connections, 120/s

// orders lists orders with the names of their customers, and asks for each name by itself.
var orders = Service{
	Name: "orders",
	Setup: []string{
		"create table customers (id integer primary key, name text)", rows(500, "customers", "i, 'customer ' || i"),
		"create table orders (id integer primary key, customer integer, cents integer)", rows(1000, "orders", "i, i * 37 % 500 + 1, i * 13"),
	},
	New: func(d *sql.DB, fixed bool) (http.Handler, error) {
		return handler(func(ctx context.Context, r *http.Request) (any, error) {
			if fixed {
				return joinedOrders(ctx, d, number(r, "page"))
			}
			return listOrders(ctx, d, number(r, "page"))
		}), nil
	},
}

type order struct {
	ID       int
	Customer string
	Cents    int

	customer int
}

func listOrders(ctx context.Context, d *sql.DB, page int) ([]order, error) {
	all, err := collect(func() (*sql.Rows, error) {
		return d.QueryContext(ctx, "select id, customer, cents from orders where id > $1 order by id limit 25", page*25)
	}, func(rows *sql.Rows, o *order) error { return rows.Scan(&o.ID, &o.customer, &o.Cents) })
	if err != nil {
		return nil, err
	}
	for i := range all {
		row := d.QueryRowContext(ctx, "select name from customers where id = $1", all[i].customer) //truth: n-plus-one: select name from customers where id = $1
		if err := row.Scan(&all[i].Customer); err != nil {
			return nil, err
		}
	}
	return all, nil
}

func joinedOrders(ctx context.Context, d *sql.DB, page int) ([]order, error) {
	return collect(func() (*sql.Rows, error) {
		return d.QueryContext(ctx, "select o.id, c.name, o.cents from orders o join customers c on c.id = o.customer where o.id > $1 order by o.id limit 25", page*25)
	}, func(rows *sql.Rows, o *order) error { return rows.Scan(&o.ID, &o.Customer, &o.Cents) })
}

// collect reads all rows of a query.
func collect[T any](query func() (*sql.Rows, error), scan func(*sql.Rows, *T) error) (all []T, err error) {
	rows, err := query()
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var one T
		if err := scan(rows, &one); err != nil {
			return nil, err
		}
		all = append(all, one)
	}
	return all, rows.Err()
}
