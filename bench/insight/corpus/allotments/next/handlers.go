package main

import (
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
)

type api struct{ store *store }

type plotList struct {
	Count int        `json:"count"`
	Plots []plotView `json:"plots"`
}

func (a *api) listPlots(w http.ResponseWriter, r *http.Request) {
	query := r.URL.Query()
	maxRent, err := strconv.Atoi(query.Get("max"))
	if err != nil {
		http.Error(w, "max has to be a number of cents", http.StatusBadRequest)
		return
	}
	list := a.store.find(filter{district: query.Get("district"), maxRent: maxRent})
	selected := parseFields(query.Get("features"))
	views := make([]plotView, 0, len(list))
	for i := range list {
		views = append(views, selected.apply(&list[i]))
	}
	writeJSON(w, plotList{Count: len(views), Plots: views})
}

func (a *api) onePlot(w http.ResponseWriter, r *http.Request) {
	id, err := strconv.Atoi(r.PathValue("id"))
	if err != nil {
		http.NotFound(w, r)
		return
	}
	p, ok := a.store.get(id)
	if !ok {
		http.NotFound(w, r)
		return
	}
	writeJSON(w, parseFields(r.FormValue("features")).apply(&p))
}

func writeJSON(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(v)
}

// A selection has the names of the features that a client asks for; all if it is empty.
type selection []string

func parseFields(s string) selection {
	if s == "" {
		return nil
	}
	return strings.Split(s, ",")
}

// A plotView is what clients see of a plot. Features are open, because the towns keep inventing new ones.
type plotView struct {
	Area     float64        `json:"area"`
	District string         `json:"district"`
	Features map[string]any `json:"features"`
	ID       int            `json:"id"`
	Path     string         `json:"path"`
	Rent     int            `json:"rent"`
	Since    string         `json:"since"`
}

func (s selection) apply(p *plot) plotView {
	return plotView{
		Area:     p.Area,
		District: p.District,
		Features: s.features(p),
		ID:       p.ID,
		Path:     p.Path,
		Rent:     p.Rent,
		Since:    p.Since,
	}
}

func (s selection) features(p *plot) map[string]any {
	all := map[string]any{"shed": p.Shed, "soil": p.Soil, "water": p.Water}
	if len(s) == 0 {
		return all
	}
	some := make(map[string]any, len(s))
	for _, name := range s {
		if v, ok := all[name]; ok {
			some[name] = v
		}
	}
	return some
}
