// Package layout sets statements in columns.
package layout

import (
	"strconv"
	"strings"
	"time"
)

// Posting is one movement on an account.
type Posting struct {
	Day   time.Time
	Text  string
	Cents int64
}

const (
	width    = 64
	perPage  = 20
	dayForm  = "02.01.2006"
	textCols = 30
)

// Statement returns the postings as pages with a balance after each line.
func Statement(account string, ps []Posting) string {
	page := heading("", account, 1)
	balance := int64(0)
	for i, p := range ps {
		if i > 0 && i%perPage == 0 {
			page = add(page, strings.Repeat("-", width))
			page = heading(page, account, i/perPage+1)
		}
		balance += p.Cents
		page = add(page, p.Day.Format(dayForm)+"  "+left(p.Text, textCols)+right(money(p.Cents), 10)+right(money(balance), 12))
	}
	return add(page, strings.Repeat("=", width))
}

func heading(page, account string, n int) string {
	page = add(page, left("Account "+account, width-10)+right("Page "+strconv.Itoa(n), 10))
	return add(page, strings.Repeat("=", width))
}

func add(page, row string) string {
	return page + row + "\n"
}

func left(s string, n int) string {
	if len(s) >= n {
		return s[:n]
	}
	return s + strings.Repeat(" ", n-len(s))
}

func right(s string, n int) string {
	if len(s) >= n {
		return s
	}
	return strings.Repeat(" ", n-len(s)) + s
}

func money(cents int64) string {
	sign := ""
	if cents < 0 {
		sign, cents = "-", -cents
	}
	frac := strconv.FormatInt(cents%100, 10)
	if len(frac) == 1 {
		frac = "0" + frac
	}
	return sign + strconv.FormatInt(cents/100, 10) + "." + frac
}
