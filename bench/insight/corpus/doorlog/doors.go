package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/go-chi/chi/v5"
	"github.com/rs/zerolog"
)

type badge struct {
	holder string
	doors  uint64
	from   int
	to     int
}

type doors struct {
	log    zerolog.Logger
	count  int
	badges map[string]*badge
}

func newDoors(l zerolog.Logger, n, badges int) *doors {
	d := &doors{log: l, count: n, badges: map[string]*badge{}}
	for i := range badges {
		d.badges[fmt.Sprintf("b%d", i)] = &badge{holder: fmt.Sprintf("Person %d", i), doors: uint64(i) | 1<<3, from: 0, to: 24}
	}
	return d
}

func (b *badge) MarshalZerologObject(e *zerolog.Event) {
	e.Str("holder", b.holder).Uint64("doors", b.doors).Int("from", b.from).Int("to", b.to)
}

func (d *doors) decide(door int, id string, hour int) (*badge, string) {
	b, ok := d.badges[id]
	d.log.Debug().Int("door", door).EmbedObject(b).Msg("asked")
	switch {
	case !ok:
		return nil, "unknown badge"
	case b.doors>>door&1 == 0:
		return b, "wrong door"
	case hour < b.from || hour >= b.to:
		return b, "wrong hour"
	}
	return b, ""
}

func (d *doors) open(w http.ResponseWriter, r *http.Request) {
	n, err := strconv.Atoi(chi.URLParam(r, "n"))
	if err != nil || n < 0 || n >= d.count {
		http.NotFound(w, r)
		return
	}
	id := r.FormValue("badge")
	_, reason := d.decide(n, id, time.Now().Hour())
	d.log.Info().Int("door", n).Str("badge", id).Bool("opened", reason == "").Str("reason", reason).Msg("door")
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(map[string]any{"door": n, "open": reason == "", "reason": reason})
}
