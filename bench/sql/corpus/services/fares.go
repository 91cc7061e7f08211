package services

import (
	"context"
	"database/sql"
	"encoding/json"
	"net/http"
	"strconv"
	"time"
)

//load: GET /?train={rand:900}, 4 connections, 60/s
//truth: decoy: the requests wait for a backend by HTTP; both statements are fast

// fares says what a train costs in each class, and asks how many seats are free. The same program answers that, for the reservation has no
// program of its own yet.
var fares = Service{
	Name: "fares",
	Setup: []string{
		"create table trains (id integer primary key, goes text)", rows(900, "trains", "i - 1, 'A to ' || i"),
		"create table classes (id integer primary key, train integer, name text, cents integer)", rows(2700, "classes", "i, i % 900, 'class ' || (i % 3), i % 7000"), "create index classes_train on classes (train)",
		"analyze classes",
	},
	New: func(d *sql.DB, _ bool) (http.Handler, error) {
		desk := fareDesk{d, &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 16}}}
		mux := http.NewServeMux()
		mux.Handle("/", handler(func(ctx context.Context, r *http.Request) (any, error) {
			return desk.fares(ctx, r.Host, number(r, "train"))
		}))
		mux.Handle("/free", handler(free))
		return mux, nil
	},
}

// free asks the train, which answers by radio.
func free(_ context.Context, r *http.Request) (any, error) {
	ask(5 * time.Millisecond)
	return number(r, "train") * 17 % 300, nil
}

type fareDesk struct {
	*sql.DB
	*http.Client
}

type fare struct {
	Class string
	Cents int
}

type trainFares struct {
	Goes  string
	Fares []fare
	Free  int
}

func (d fareDesk) fares(ctx context.Context, host string, train int) (t trainFares, err error) {
	if err := d.QueryRowContext(ctx, "select goes from trains where id = $1", train).Scan(&t.Goes); err != nil {
		return t, err
	}
	if t.Free, err = d.free(ctx, host, train); err != nil {
		return t, err
	}
	t.Fares, err = collect(func() (*sql.Rows, error) {
		return d.QueryContext(ctx, "select name, cents from classes where train = $1", train)
	}, func(rows *sql.Rows, f *fare) error { return rows.Scan(&f.Class, &f.Cents) })
	return t, err
}

func (d fareDesk) free(ctx context.Context, host string, train int) (n int, err error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+host+"/free?train="+strconv.Itoa(train), nil)
	if err != nil {
		return 0, err
	}
	answer, err := d.Do(r)
	if err != nil {
		return 0, err
	}
	defer answer.Body.Close()
	err = json.NewDecoder(answer.Body).Decode(&n)
	return n, err
}
