package main

import (
	"fmt"
	"io"
	"strings"
	"time"
)

type day struct {
	Date  time.Time
	Work  time.Duration
	Pause time.Duration
	Note  string
}

type person struct {
	Name string
	Days []day
	Due  time.Duration
}

func staff(n int) []*person {
	ps := make([]*person, n)
	for i := range ps {
		p := &person{Name: fmt.Sprintf("Person %d", i), Due: 8 * time.Hour}
		for d := range 22 {
			p.Days = append(p.Days, day{Date: time.Date(2026, 4, d+1, 0, 0, 0, 0, time.UTC), Work: 7*time.Hour + time.Duration((i*d*17)%110)*time.Minute,
				Pause: 30 * time.Minute, Note: []string{"", "on site", "home"}[d%3]})
		}
		ps[i] = p
	}
	return ps
}

func (p *person) write(w io.Writer) {
	fmt.Fprintf(w, "%-24s due per day %6.2f h\n%s\n", p.Name, p.Due.Hours(), strings.Repeat("=", 60))
	var balance time.Duration
	for _, d := range p.Days {
		net := d.Work - d.Pause
		balance += net - p.Due
		fmt.Fprintf(w, "%-10.10s %02d.%02d. %6.2f %+7.2f | %-10s|%*s\n", d.Date.Weekday(), d.Date.Day(), d.Date.Month(), net.Hours(), (net - p.Due).Hours(),
			d.Note, 12, strings.Repeat("*", int(net.Hours())))
	}
	fmt.Fprintf(w, "%-18s %+8.2f h\n", "balance", balance.Hours())
}
