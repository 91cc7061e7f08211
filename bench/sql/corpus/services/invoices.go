package services

import (
	"bytes"
	"context"
	"crypto/pbkdf2"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"hash/fnv"
	"image"
	"image/color"
	"image/png"
	"io"
	"net/http"
	"strconv"
)

//load: GET /?invoice={rand:4000}, 4 connections, 40/s
//truth: decoy: the requests take CPU time of the program between the statements and after them; all three statements are fast

// invoices makes the page of an invoice: a link that cannot be guessed, its lines, and the code that a phone reads to pay.
var invoices = Service{
	Name: "invoices",
	Setup: []string{
		"create table payers (id integer primary key, name text)", rows(300, "payers", "i, 'payer ' || i"),
		"create table invoices (id integer primary key, payer integer)", rows(4000, "invoices", "i - 1, i % 300 + 1"), "create index invoices_payer on invoices (payer)",
		"create table items (id integer primary key, invoice integer, what text, cents integer)", rows(32000, "items", "i, i % 4000, 'item ' || (i % 700), i % 9000"), "create index items_invoice on items (invoice)",
		"analyze invoices", "analyze items",
	},
	New: func(d *sql.DB, _ bool) (http.Handler, error) {
		return handler(func(ctx context.Context, r *http.Request) (any, error) {
			return invoicePage(ctx, d, number(r, "invoice"))
		}), nil
	},
}

type item struct {
	What  string
	Cents int
}

type invoice struct {
	Payer, Link string
	Items       []item
	Others      int
	Code        []byte
}

func invoicePage(ctx context.Context, d *sql.DB, id int) (page invoice, err error) {
	payer := 0
	find := d.QueryRowContext(ctx, "select p.id, p.name from invoices i join payers p on p.id = i.payer where i.id = $1", id)
	if err := find.Scan(&payer, &page.Payer); err != nil {
		return page, err
	}
	if page.Link, err = link(page.Payer, id); err != nil {
		return page, err
	}
	page.Items, err = collect(func() (*sql.Rows, error) {
		return d.QueryContext(ctx, "select what, cents from items where invoice = $1 order by id", id)
	}, func(rows *sql.Rows, i *item) error { return rows.Scan(&i.What, &i.Cents) })
	if err != nil {
		return page, err
	}
	if err := d.QueryRowContext(ctx, "select count(*) from invoices where payer = $1", payer).Scan(&page.Others); err != nil {
		return page, err
	}
	var code bytes.Buffer
	err = payCode(&code, page)
	page.Code = code.Bytes()
	return page, err
}

// link has a key that takes long to compute.
func link(payer string, id int) (string, error) {
	key, err := pbkdf2.Key(sha256.New, payer, []byte(strconv.Itoa(id)), 6000, 16)
	return "/pay/" + hex.EncodeToString(key), err
}

// payCode draws squares that say whom to pay how much.
func payCode(w io.Writer, page invoice) error {
	const squares, side = 41, 6
	hash := fnv.New64a()
	_, _ = io.WriteString(hash, page.Payer+page.Link) // a hash takes all
	for _, i := range page.Items {
		_, _ = io.WriteString(hash, i.What+strconv.Itoa(i.Cents))
	}
	bits := hash.Sum64()
	picture := image.NewGray(image.Rect(0, 0, squares*side, squares*side))
	for y := range squares {
		for x := range squares {
			bits = bits*6364136223846793005 + 1442695040888963407
			if bits>>63 == 0 {
				continue
			}
			for i := range side * side {
				picture.SetGray(x*side+i%side, y*side+i/side, color.Gray{Y: 255})
			}
		}
	}
	return png.Encode(w, picture)
}
