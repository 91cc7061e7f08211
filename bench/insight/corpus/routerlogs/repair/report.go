package main

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
)

type report struct {
	Lines  int            `json:"lines"`
	Codes  map[string]int `json:"codes"`
	Errors float64        `json:"errors"`
	P50    int            `json:"p50_ms"`
	P99    int            `json:"p99_ms"`
	times  []int
}

// field returns the n-th field of a line, or nothing.
func field(line string, n int) string {
	for range n {
		i := strings.IndexByte(line, ' ')
		if i < 0 {
			return ""
		}
		line = line[i+1:]
	}
	if i := strings.IndexByte(line, ' '); i >= 0 {
		return line[:i]
	}
	return line
}

func read(r io.Reader) (*report, error) {
	rep := &report{Codes: map[string]int{}}
	in := bufio.NewScanner(r)
	for in.Scan() {
		line := in.Text()
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		if err := rep.add(line); err != nil {
			return nil, err
		}
	}
	return rep, in.Err()
}

func (r *report) add(line string) error {
	r.Lines++
	code := field(line, 6)
	if len(code) != 3 {
		return fmt.Errorf("line %d: bad status %q", r.Lines, code)
	}
	r.Codes[code]++
	ms, err := strconv.Atoi(strings.TrimSuffix(field(line, 8), "ms"))
	if err != nil {
		return fmt.Errorf("line %d: bad duration: %w", r.Lines, err)
	}
	r.times = append(r.times, ms)
	return nil
}

func (r *report) finish() {
	slices.Sort(r.times)
	for code, n := range r.Codes {
		if code[0] == '5' {
			r.Errors += float64(n)
		}
	}
	if len(r.times) > 0 {
		r.Errors = math.Round(r.Errors/float64(len(r.times))*1e4) / 1e4
		r.P50, r.P99 = r.times[len(r.times)/2], r.times[len(r.times)*99/100]
	}
}
