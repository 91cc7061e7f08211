package main

import (
	"context"
	"runtime"
	"time"
)

// section is one system.
type section struct {
	// Name is what -only takes.
	Name  string
	Title string
	// About says what is measured, how, and what differs from the published measurement.
	About string
	// Measure returns the rows that it could measure, also with an error.
	Measure func(ctx context.Context, r *rig) ([]row, error)
}

// sections are the page, in its order.
var sections = []section{framed, rpc, tlsIdle, visits, chat, havlakLoops}

func names() []string {
	all := make([]string, len(sections))
	for i, s := range sections {
		all[i] = s.Name
	}
	return all
}

// row is one line of a section's table. What is empty or zero is left out.
type row struct {
	What      string
	Published string
	// PublishedRatio is Published relative to what Ratio is relative to.
	PublishedRatio float64
	Here           string
	Ratio          ratio
	Note           string
}

// part is a section that was measured.
type part struct {
	section
	Rows []row
	// Err is why rows are missing.
	Err  error
	Took time.Duration
	// Disturbed is what else the machine did.
	Disturbed conditions
	// Repeated is what hone said of invalid measurements that were taken again.
	Repeated []string
}

// measure measures a section.
func (r *rig) measure(ctx context.Context, s section) part {
	began := time.Now()
	r.disturbed, r.repeated = conditions{CPUs: runtime.NumCPU()}, nil
	rows, err := s.Measure(ctx, r)
	return part{section: s, Rows: rows, Err: err, Took: time.Since(began), Disturbed: r.disturbed, Repeated: r.repeated}
}
