package main

import (
	"context"
	"database/sql"
	"encoding/json"
	"net/http"
	"strconv"
)

type service struct{ db *sql.DB }

type toll struct {
	Section string  `json:"section"`
	Cents   int64   `json:"cents"`
	Zone    string  `json:"zone"`
	Euro    float64 `json:"euro"`
}

const tollQuery = `SELECT section, cents, zone FROM tolls
	WHERE ( road = ? AND class = ? ) AND valid = 1 AND cents > 0 AND cents < 100000
	AND ( zone = 'north' OR zone = 'south' OR zone = 'east' OR zone = 'west' )`

func (s *service) find(ctx context.Context, road string, class int64) ([]toll, error) {
	stmt, err := s.db.PrepareContext(ctx, tollQuery)
	if err != nil {
		return nil, err
	}
	defer stmt.Close()
	rows, err := stmt.QueryContext(ctx, road, class)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var out []toll
	for rows.Next() {
		var t toll
		if err := rows.Scan(&t.Section, &t.Cents, &t.Zone); err != nil {
			return nil, err
		}
		t.Euro = float64(t.Cents) / 100
		out = append(out, t)
	}
	return out, rows.Err()
}

func (s *service) tolls(w http.ResponseWriter, r *http.Request) {
	class, err := strconv.ParseInt(r.FormValue("class"), 10, 64)
	if err != nil {
		http.Error(w, "class is a number", http.StatusBadRequest)
		return
	}
	list, err := s.find(r.Context(), r.PathValue("road"), class)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(list)
}
