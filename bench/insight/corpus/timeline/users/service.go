package users

import (
	"encoding/json"
	"net/http"
	"strings"
)

// Service is the user service's handler.
func Service() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /users", func(w http.ResponseWriter, r *http.Request) {
		list := []User{}
		for id := range strings.SplitSeq(r.FormValue("ids"), ",") {
			list = append(list, User{ID: id, Name: "User " + strings.ToUpper(id), Avatar: "/avatars/" + id + ".png"})
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(list)
	})
	return mux
}
