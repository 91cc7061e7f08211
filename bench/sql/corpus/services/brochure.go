package services

import (
	"context"
	"database/sql"
	"net/http"
)

//load: GET /?section={rand:100}, 4 connections, 40/s

// brochure lists the fifty goods of a section, each with its best offer. The column good of offers has no index, so the database reads
// all offers once for each of the fifty.
var brochure = Service{
	Name: "brochure",
	Setup: []string{
		"create table sections (id integer primary key, title text)", rows(100, "sections", "i - 1, 'section ' || i"),
		"create table goods (id integer primary key, section integer, name text, cents integer)", rows(5000, "goods", "i, i % 100, 'good ' || (i * 7 % 5000), i % 2900"), "create index goods_section on goods (section)",
		"create table offers (id integer primary key, good integer, percent integer, ends integer)", rows(2400, "offers", "i, i * 37 % 5000 + 1, i % 40, i % 365"),
		"analyze goods", "analyze offers",
	},
	New: func(d *sql.DB, fixed bool) (http.Handler, error) {
		if fixed {
			if _, err := d.Exec("create index offers_good on offers (good)"); err != nil {
				return nil, err
			}
		}
		return handler(func(ctx context.Context, r *http.Request) (any, error) { return section(ctx, d, number(r, "section")) }), nil
	},
}

type good struct {
	ID      int
	Name    string
	Cents   int
	Percent int
}

func section(ctx context.Context, d *sql.DB, id int) (any, error) {
	var title string
	if err := d.QueryRowContext(ctx, "select title from sections where id = $1", id).Scan(&title); err != nil {
		return nil, err
	}
	const query = `
		select g.id, g.name, g.cents,
			coalesce((select max(o.percent) from offers o where o.good = g.id and o.ends >= 30), 0)
		from goods g
		where g.section = $1
		order by g.name`
	rows, err := d.QueryContext(ctx, query, id) //truth: slow-statement: select g.id, g.name, g.cents, coalesce((select max(o.percent) from offers o where o.good = g.id and o.ends >= 30), 0) from goods g where g.section = $1 order by g.name
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var goods []good
	for rows.Next() {
		var g good
		if err := rows.Scan(&g.ID, &g.Name, &g.Cents, &g.Percent); err != nil {
			return nil, err
		}
		goods = append(goods, g)
	}
	return map[string]any{"title": title, "goods": goods}, rows.Err()
}
