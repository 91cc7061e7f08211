package services

import (
	"cmp"
	"context"
	"database/sql"
	"math"
	"net/http"
	"slices"
)

//load: GET /?region={rand:10}, 4 connections, 20/s
//truth: decoy: the requests are slow from CPU time of the program; both statements are fast

// report computes for milliseconds what it read in one.
var report = Service{
	Name: "report",
	Setup: []string{
		"create table sales (id integer primary key, region integer, cents integer)", rows(3000, "sales", "i, i % 10, i * 7919 % 5000"), "create index sales_region on sales (region)",
		"create table regions (id integer primary key, name text)", rows(10, "regions", "i - 1, 'region ' || i"),
	},
	New: func(d *sql.DB, _ bool) (http.Handler, error) {
		return handler(func(ctx context.Context, r *http.Request) (any, error) { return forecast(ctx, d, number(r, "region")) }), nil
	},
}

func forecast(ctx context.Context, d *sql.DB, region int) (map[string]any, error) {
	var name string
	if err := d.QueryRowContext(ctx, "select name from regions where id = $1", region).Scan(&name); err != nil {
		return nil, err
	}
	cents, err := collect(func() (*sql.Rows, error) {
		return d.QueryContext(ctx, "select cents from sales where region = $1", region)
	}, func(rows *sql.Rows, cents *float64) error { return rows.Scan(cents) })
	if err != nil {
		return nil, err
	}
	return map[string]any{"name": name, "middle": middle(cents), "trend": trend(cents)}, nil
}

// middle is the median of all means of two (Hodges and Lehmann).
func middle(all []float64) float64 {
	var means []float64
	for i := range all {
		for j := range i + 1 {
			means = append(means, (all[i]+all[j])/2)
		}
	}
	slices.SortFunc(means, cmp.Compare)
	return means[len(means)/2]
}

// trend is the strongest of the slow waves in the values.
func trend(all []float64) (strongest int) {
	best := 0.0
	for f := 1; f < 200; f++ {
		var re, im float64
		for i, v := range all {
			sin, cos := math.Sincos(2 * math.Pi * float64(f*i) / 400)
			re, im = re+v*cos, im+v*sin
		}
		if p := math.Hypot(re, im); p > best {
			best, strongest = p, f
		}
	}
	return strongest
}
