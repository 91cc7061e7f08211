package main

import (
	"encoding/json"
	"net/http"
	"strconv"
)

type api struct{ store *store }

type plotView struct {
	Area     float64  `json:"area"`
	District string   `json:"district"`
	Features features `json:"features"`
	ID       int      `json:"id"`
	Path     string   `json:"path"`
	Rent     int      `json:"rent"`
	Since    string   `json:"since"`
}

type features struct {
	Shed  bool   `json:"shed"`
	Soil  string `json:"soil"`
	Water bool   `json:"water"`
}

func view(p plot) plotView {
	return plotView{
		Area: p.Area, District: p.District, ID: p.ID, Path: p.Path, Rent: p.Rent, Since: p.Since,
		Features: features{Shed: p.Shed, Soil: p.Soil, Water: p.Water},
	}
}

func (a *api) listPlots(w http.ResponseWriter, r *http.Request) {
	query := r.URL.Query()
	maxRent, err := strconv.Atoi(query.Get("max"))
	if err != nil {
		http.Error(w, "max has to be a number of cents", http.StatusBadRequest)
		return
	}
	list := a.store.search(query.Get("district"), maxRent)
	views := make([]plotView, 0, len(list))
	for _, p := range list {
		views = append(views, view(p))
	}
	reply(w, struct {
		Count int        `json:"count"`
		Plots []plotView `json:"plots"`
	}{len(views), views})
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
	reply(w, view(p))
}

func reply(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(v)
}
