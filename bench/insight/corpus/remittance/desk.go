package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"corpus/truth"
)

type desk struct{ fees *fees }

type offer struct {
	Corridor string  `json:"corridor"`
	Send     int     `json:"send"`
	Fee      int     `json:"fee"`
	Receive  float64 `json:"receive"`
}

func (d *desk) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	t := truth.Begin()
	defer t.End()
	cents, err := strconv.Atoi(r.FormValue("cents"))
	if err != nil || cents <= 0 {
		http.Error(w, "cents is a positive number", http.StatusBadRequest)
		return
	}
	o := offer{Corridor: r.FormValue("corridor"), Send: cents}
	c, err := d.fees.of(t, o.Corridor)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	o.Fee = c.Fixed + int(float64(cents)*c.Percent/100)
	o.Receive = float64(cents-o.Fee) * c.Rate
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(o)
}

// tell is the bank. It asks its branch abroad each time.
func tell(w http.ResponseWriter, r *http.Request) {
	time.Sleep(80 * time.Millisecond)
	n := len(r.FormValue("corridor"))
	fmt.Fprintf(w, `{"fixed":%d,"percent":0.%d,"rate":%d.25}`, 190+n, n, n)
}
