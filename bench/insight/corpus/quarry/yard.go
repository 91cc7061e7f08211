package main

import (
	"bufio"
	"context"
	"fmt"
	"log"
	"net"
	"sync"
	"time"

	"corpus/truth"
)

type block struct {
	Stone string  `json:"stone"`
	Tons  float64 `json:"tons"`
	Place string  `json:"place"`
	Moves int     `json:"moves"`
}

type yard struct {
	mu     sync.RWMutex
	blocks []block
}

func newYard(n int) *yard {
	y := &yard{blocks: make([]block, n)}
	for i := range y.blocks {
		y.blocks[i] = block{Stone: []string{"granite", "marble", "slate"}[i%3], Tons: 1 + float64(i%40)/10, Place: "row 1"}
	}
	return y
}

func (y *yard) block(t *truth.Request, n int) (block, bool) {
	may := t.Part("look")
	y.mu.RLock()
	may()
	defer y.mu.RUnlock()
	if n < 0 || n >= len(y.blocks) {
		return block{}, false
	}
	return y.blocks[n], true
}

func (y *yard) move(t *truth.Request, n int, place string) bool {
	may := t.Part("move")
	y.mu.Lock()
	may()
	defer y.mu.Unlock()
	if n < 0 || n >= len(y.blocks) {
		return false
	}
	y.blocks[n].Place = place
	y.blocks[n].Moves++
	return true
}

// stocktaking reads the list out to the office. Others may read as well.
func (y *yard) stocktaking(ctx context.Context) {
	office, err := dialOffice()
	if err != nil {
		log.Print(err)
		return
	}
	defer office.Close()
	heard := bufio.NewScanner(office)
	for {
		select {
		case <-ctx.Done():
			return
		case <-time.After(400 * time.Millisecond):
		}
		y.readOut(office, heard)
	}
}

func (y *yard) readOut(office net.Conn, heard *bufio.Scanner) {
	y.mu.RLocker().Lock()
	defer y.mu.RLocker().Unlock()
	for i := 0; i < len(y.blocks); i += 60 {
		tons := 0.0
		for _, b := range y.blocks[i : i+60] {
			tons += b.Tons
		}
		fmt.Fprintf(office, "rows from %d: %.1f\n", i, tons)
		if !heard.Scan() {
			return
		}
	}
}

func dialOffice() (net.Conn, error) {
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
		for in := bufio.NewScanner(c); in.Scan(); {
			time.Sleep(13 * time.Millisecond)
			fmt.Fprintln(c, "noted")
		}
	}()
	return net.Dial("tcp", l.Addr().String())
}
