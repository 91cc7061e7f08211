package rates

import (
	"encoding/json"
	"net/http"
)

// Bank answers for a few pairs.
func Bank() http.Handler {
	known := map[string]float64{"EURUSD": 1.0853, "EURGBP": 0.8557, "USDEUR": 0.9214}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /rates/{pair}", func(w http.ResponseWriter, r *http.Request) {
		pair := r.PathValue("pair")
		rate, ok := known[pair]
		w.Header().Set("Content-Type", "application/json")
		if !ok {
			w.WriteHeader(http.StatusNotFound)
			json.NewEncoder(w).Encode(map[string]string{"error": "no such pair", "pair": pair})
			return
		}
		json.NewEncoder(w).Encode(quote{pair, rate})
	})
	return mux
}
