package main

import "slices"

type cell struct {
	Label  string
	Price  int
	Free   bool
	Row    int
	Number int
}

type zoneCount struct {
	Price int    `json:"price"`
	Free  int    `json:"free"`
	Total int    `json:"total"`
	First string `json:"first,omitempty"`
}

func (h *hall) view(tickets []int) []cell {
	sold := map[int]bool{}
	for _, id := range tickets {
		sold[id] = true
	}
	var cells []cell
	for r, row := range h.rows {
		for n, s := range row {
			cells = append(cells, cell{Label: s.Label, Price: h.price(s), Free: !sold[s.ID], Row: r, Number: n + 1})
		}
	}
	return cells
}

// summarize counts the seats of each price up to a limit, and names the best free one.
func summarize(cells []cell, limit int) []zoneCount {
	out := []zoneCount{}
	for i := range cells {
		c := &cells[i]
		if c.Price > limit {
			continue
		}
		k := slices.IndexFunc(out, func(z zoneCount) bool { return z.Price == c.Price })
		if k < 0 {
			k = len(out)
			out = append(out, zoneCount{Price: c.Price})
		}
		out[k].Total++
		if c.Free {
			out[k].Free++
			if out[k].First == "" {
				out[k].First = c.Label
			}
		}
	}
	return out
}
