package main

import (
	"errors"
	"fmt"
	"math"
	"net/http"
	"strconv"
)

type terrain struct {
	size    int
	heights []float32
}

func newTerrain(size int) *terrain {
	t := &terrain{size: size, heights: make([]float32, size*size)}
	for y := range size {
		for x := range size {
			t.heights[y*size+x] = float32(math.Sin(float64(x)/19)*40 + math.Cos(float64(y)/23)*40 + 80)
		}
	}
	return t
}

func (t *terrain) at(x, y int) float32 {
	return t.heights[(y&(t.size-1))*t.size+x&(t.size-1)]
}

const edge = 128

// shade draws a tile with light from the north-west, as a gray map with a header.
func (t *terrain) shade(tx, ty int) []byte {
	b := make([]byte, 0, 24+edge*edge)
	b = fmt.Appendf(b, "P5 %d %d 255\n", edge, edge)
	for y := range edge {
		for x := range edge {
			gx, gy := tx*edge+x, ty*edge+y
			slope := t.at(gx+1, gy+1) - t.at(gx, gy)
			b = append(b, byte(max(0, min(255, 128+slope*12))))
		}
	}
	return b
}

func (t *terrain) tile(w http.ResponseWriter, r *http.Request) {
	x, err1 := strconv.Atoi(r.PathValue("x"))
	y, err2 := strconv.Atoi(r.PathValue("y"))
	if err := errors.Join(err1, err2); err != nil || x < 0 || y < 0 {
		http.Error(w, "bad tile", http.StatusBadRequest)
		return
	}
	w.Header().Set("Content-Type", "image/x-portable-graymap")
	w.Write(t.shade(x, y))
}
