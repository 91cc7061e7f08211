// Command silent shows the departures of a station in the time of a place that the passenger names.
// It knows the places from its start; each row needs its own time as text.
package main

import (
	"bytes"
	"errors"
	"flag"
	"log"
	"net/http"
	"slices"
	"time"
	_ "time/tzdata"
)

type train struct {
	name    string
	to      string
	leaves  time.Time
	minutes int
}

// timetable is the trains of a day.
type timetable struct{ trains []train }

var errPlace = errors.New("unknown place")

var places = load("Europe/Berlin", "America/New_York", "Asia/Tokyo")

func load(zones ...string) map[string]*time.Location {
	all := map[string]*time.Location{}
	for _, z := range zones {
		place, err := time.LoadLocation(z)
		if err != nil {
			log.Fatal(err)
		}
		all[z] = place
	}
	return all
}

// row is a train as the board shows it.
func row(b *bytes.Buffer, t train, zone string) error {
	place, ok := places[zone]
	if !ok {
		return errPlace
	}
	b.WriteString(t.leaves.In(place).Format("15:04"))
	b.WriteByte(' ')
	b.WriteString(t.name)
	b.WriteByte(' ')
	b.WriteString(t.to)
	b.WriteByte('\n')
	return nil
}

func (t *timetable) board(from time.Time, zone string) ([]byte, error) {
	first, _ := slices.BinarySearchFunc(t.trains, from, func(t train, at time.Time) int { return t.leaves.Compare(at) })
	var b bytes.Buffer
	for _, t := range t.trains[first:min(first+2, len(t.trains))] {
		if err := row(&b, t, zone); err != nil {
			return nil, err
		}
	}
	return b.Bytes(), nil
}

func (t *timetable) show(w http.ResponseWriter, r *http.Request) {
	from, err := time.Parse("15:04", r.PathValue("from"))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	board, err := t.board(from, r.URL.Query().Get("zone"))
	if err != nil {
		http.Error(w, err.Error(), http.StatusNotFound)
		return
	}
	w.Write(board)
}

func main() {
	addr := flag.String("addr", "127.0.0.1:8080", "`host:port` to listen on")
	flag.Parse()
	t := new(timetable)
	day := time.Date(0, 1, 1, 5, 0, 0, 0, time.UTC)
	for i := range 90 {
		t.trains = append(t.trains, train{name: "R" + string(rune('0'+i%10)), to: "Harbour", leaves: day.Add(time.Duration(i) * 12 * time.Minute)})
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /board/{from}", t.show)
	log.Fatal(http.ListenAndServe(*addr, mux))
}
