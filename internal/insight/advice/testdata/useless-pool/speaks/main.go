// Command speaks turns a page of measured values into a chart of characters.
package main

import (
	"bytes"
	"errors"
	"flag"
	"io"
	"log"
	"math"
	"net/http"
	"strconv"
	"sync"
)

const (
	width  = 200
	height = 60
)

var spaces = bytes.Repeat([]byte{' '}, width)

var errEmpty = errors.New("no values")

// canvas is the characters of a chart.
type canvas struct {
	cells [height][width]byte
	line  bytes.Buffer
}

// painter draws with canvases that it keeps.
type painter struct{ canvases sync.Pool }

func newPainter() *painter {
	return &painter{canvases: sync.Pool{New: func() any {
		c := new(canvas) // want: useless-pool
		c.line.Grow(height * (width + 1))
		return c
	}}}
}

func (c *canvas) blank() {
	for y := range c.cells {
		copy(c.cells[y][:], spaces)
	}
	c.line.Reset()
}

func (c *canvas) plot(values []float64) {
	low, high := values[0], values[0]
	for _, v := range values {
		low, high = math.Min(low, v), math.Max(high, v)
	}
	for x := range width {
		v := values[x*len(values)/width]
		y := 0
		if high > low {
			y = int((v - low) / (high - low) * (height - 1))
		}
		c.cells[height-1-y][x] = '*'
	}
}

func (c *canvas) bytes() []byte {
	for y := range c.cells {
		c.line.Write(bytes.TrimRight(c.cells[y][:], " "))
		c.line.WriteByte('\n')
	}
	return c.line.Bytes()
}

// draw writes a chart of values.
func (p *painter) draw(w io.Writer, values []float64) error {
	c := p.canvases.Get().(*canvas) // want: useless-pool
	c.blank()
	if len(values) == 0 {
		p.canvases.Put(c)
		return errEmpty
	}
	c.plot(values)
	_, err := w.Write(c.bytes())
	return err
}

// wave is the values that a chart shows.
func wave(n int, speed float64) []float64 {
	values := make([]float64, min(n, 240))
	for i := range values {
		values[i] = float64((i * int(speed*16)) % 97)
	}
	return values
}

func (p *painter) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	n, err := strconv.Atoi(r.URL.Query().Get("n"))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	w.Header().Set("Content-Type", "text/plain")
	if err := p.draw(w, wave(n, 0.3)); err != nil {
		http.Error(w, err.Error(), http.StatusNotFound)
	}
}

func main() {
	addr := flag.String("addr", "127.0.0.1:8080", "`host:port` to listen on")
	flag.Parse()
	http.Handle("GET /chart", newPainter())
	log.Fatal(http.ListenAndServe(*addr, nil))
}
