package main

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"net/http"

	"corpus/truth"

	_ "modernc.org/sqlite"
)

type collection struct{ db *sql.DB }

type specimen struct {
	ID      int    `json:"id"`
	Species string `json:"species"`
	Found   string `json:"found"`
	Year    int    `json:"year"`
}

func open(n int) (*collection, error) {
	db, err := sql.Open("sqlite", ":memory:")
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1) // each connection would have its own memory
	if _, err := db.Exec(`CREATE TABLE specimens (id INTEGER PRIMARY KEY, species TEXT, found TEXT, year INTEGER, thumb INTEGER DEFAULT 0)`); err != nil {
		return nil, err
	}
	tx, err := db.Begin()
	if err != nil {
		return nil, err
	}
	for i := range n {
		species := []string{"Bellis perennis", "Viola odorata", "Carex nigra", "Salix alba"}[i%4]
		if _, err := tx.Exec(`INSERT INTO specimens (id, species, found, year) VALUES (?, ?, ?, ?)`, i, species, fmt.Sprintf("field %d", i%37), 1850+i%150); err != nil {
			return nil, err
		}
	}
	return &collection{db}, tx.Commit()
}

func (c *collection) specimen(w http.ResponseWriter, r *http.Request) {
	t := truth.Begin()
	defer t.End()
	var s specimen
	asked := t.Part("specimen query")
	row := c.db.QueryRowContext(r.Context(), `SELECT id, species, found, year FROM specimens WHERE id = ?`, r.PathValue("id"))
	asked()
	if err := row.Scan(&s.ID, &s.Species, &s.Found, &s.Year); err != nil {
		http.Error(w, err.Error(), http.StatusNotFound)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(s)
}
