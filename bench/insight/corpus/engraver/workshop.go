package main

import (
	"math"
	"net/http"
	"strings"
	"time"

	"corpus/truth"

	"github.com/gin-gonic/gin"
)

type point struct {
	X float64 `json:"x"`
	Y float64 `json:"y"`
}

type job struct {
	text string
	done chan []point
}

// workshop has a few benches that all jobs share.
type workshop struct{ jobs chan job }

func newWorkshop(benches int) *workshop {
	w := &workshop{jobs: make(chan job)}
	for range benches {
		go w.bench()
	}
	return w
}

func (w *workshop) bench() {
	for j := range w.jobs {
		path := trace(j.text)
		if strings.HasPrefix(j.text, "crest-") {
			calibrate()
		}
		j.done <- path
	}
}

// calibrate waits until the head of the machine stands at its zero.
func calibrate() {
	for range 12 {
		time.Sleep(5 * time.Millisecond)
	}
}

func trace(text string) []point {
	path := make([]point, 0, len(text)*16)
	for i, r := range text {
		for k := range 16 {
			a := float64(k)/16*2*math.Pi + float64(r)
			path = append(path, point{math.Round((float64(i)*8+3*math.Cos(a))*100) / 100, math.Round(300*math.Sin(a)) / 100})
		}
	}
	return path
}

func (w *workshop) plate(c *gin.Context) {
	t := truth.Begin()
	defer t.End()
	text := c.Param("text")
	j := job{text: text, done: make(chan []point, 1)}
	handed := t.Part("hand over")
	w.jobs <- j
	handed()
	made := t.Part("engrave")
	path := <-j.done
	made()
	c.JSON(http.StatusOK, gin.H{"text": text, "points": len(path), "path": path})
}
