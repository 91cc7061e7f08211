package main

import (
	"bufio"
	"fmt"
	"net"
	"time"
)

type reading struct {
	Kwh   float64 `json:"kwh"`
	Volts float64 `json:"volts"`

	meter string
	done  chan result
}

type result struct {
	position int
	err      error
}

// batcher stores what came in since the last tick in one go.
type batcher struct {
	in    chan *reading
	store net.Conn
	total int
}

// add returns when the reading is stored.
func (b *batcher) add(r *reading) (int, error) {
	r.done = make(chan result, 1)
	b.in <- r
	res := <-r.done
	return res.position, res.err
}

func (b *batcher) run(every time.Duration) {
	answers := bufio.NewReader(b.store)
	var batch []*reading
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		select {
		case r := <-b.in:
			batch = append(batch, r)
		case <-tick.C:
			if len(batch) > 0 {
				b.flush(answers, batch)
				batch = nil
			}
		}
	}
}

func (b *batcher) flush(answers *bufio.Reader, batch []*reading) {
	out := bufio.NewWriter(b.store)
	for _, r := range batch {
		fmt.Fprintf(out, "%s %.3f %.1f\n", r.meter, r.Kwh, r.Volts)
	}
	fmt.Fprintln(out, "commit")
	err := out.Flush()
	if err == nil {
		_, err = answers.ReadString('\n')
	}
	for _, r := range batch {
		b.total++
		r.done <- result{b.total, err}
	}
}

// openStore starts the store. It merges its files after each 25th commit.
func openStore() (net.Conn, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	go func() {
		defer l.Close()
		c, err := l.Accept()
		if err != nil {
			return
		}
		commits := 0
		for lines := bufio.NewScanner(c); lines.Scan(); {
			if lines.Text() != "commit" {
				continue
			}
			if commits++; commits%25 == 0 {
				time.Sleep(70 * time.Millisecond)
			}
			fmt.Fprintln(c, "ok", commits)
		}
	}()
	return net.Dial("tcp", l.Addr().String())
}
