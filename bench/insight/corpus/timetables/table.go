package main

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// run is one drive of a train: its number, its line, and its minutes at each of six stations.
type run struct {
	number int
	line   string
	at     [6]int
}

func minute(s string) (int, error) {
	h, m, ok := strings.Cut(s, ":")
	hour, err1 := strconv.Atoi(h)
	min, err2 := strconv.Atoi(m)
	if !ok || err1 != nil || err2 != nil || min > 59 {
		return 0, fmt.Errorf("bad time %q", s)
	}
	return hour*60 + min, nil
}

func parse(line string) (r run, err error) {
	fields := strings.Split(line, ";")
	if len(fields) != 2+len(r.at) {
		return r, fmt.Errorf("%d fields", len(fields))
	}
	if r.number, err = strconv.Atoi(fields[0]); err != nil {
		return r, err
	}
	r.line = fields[1]
	for i, f := range fields[2:] {
		if r.at[i], err = minute(f); err != nil {
			return r, err
		}
		if i > 0 && r.at[i] < r.at[i-1] {
			return r, fmt.Errorf("the train goes back in time at %q", f)
		}
	}
	return r, nil
}

func read(body io.Reader) ([]run, error) {
	var runs []run
	in := bufio.NewScanner(body)
	for in.Scan() {
		r, err := parse(in.Text())
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", len(runs)+1, err)
		}
		runs = append(runs, r)
	}
	return runs, in.Err()
}

type summary struct {
	Runs    int            `json:"runs"`
	Longest int            `json:"longest"`
	Train   int            `json:"train"`
	ByLine  map[string]int `json:"by_line"`
}

func summarize(runs []run) summary {
	s := summary{Runs: len(runs), ByLine: map[string]int{}}
	for i := range runs {
		r := &runs[i]
		way := r.at[len(r.at)-1] - r.at[0]
		if way > s.Longest {
			s.Longest, s.Train = way, r.number
		}
		s.ByLine[r.line] += way
	}
	return s
}
