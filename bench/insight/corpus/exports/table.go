package main

import (
	"encoding/csv"
	"fmt"
	"io"
	"strconv"
	"time"
)

type order struct {
	Number   string
	Customer string
	Placed   time.Time
	Cents    int64
	Status   string
}

type table struct {
	columns []string
	rows    []order
}

func orders(n int, prefix string) *table {
	t := &table{columns: []string{"number", "customer", "placed", "amount", "status"}}
	states := []string{"open", "packed", "sent", "done"}
	for i := range n {
		t.rows = append(t.rows, order{Number: fmt.Sprintf("%s-%05d", prefix, i), Customer: fmt.Sprintf("C%04d", i*37%1000),
			Placed: time.Date(2026, 5, 1, 8, i, 0, 0, time.UTC), Cents: int64(i*i%90000 + 100), Status: states[i%4]})
	}
	return t
}

func (t *table) writeCSV(w io.Writer) error {
	cw := csv.NewWriter(w)
	if err := cw.Write(t.columns); err != nil {
		return err
	}
	record := make([]string, len(t.columns))
	for i := range t.rows {
		o := &t.rows[i]
		record[0], record[1], record[4] = o.Number, o.Customer, o.Status
		record[2] = o.Placed.Format(time.RFC3339)
		record[3] = amount(o.Cents)
		if err := cw.Write(record); err != nil {
			return err
		}
	}
	cw.Flush()
	return cw.Error()
}

func amount(cents int64) string {
	b := strconv.AppendInt(nil, cents/100, 10)
	b = append(b, '.', byte('0'+cents/10%10), byte('0'+cents%10))
	return string(b)
}
