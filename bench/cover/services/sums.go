package services

import (
	"math/big"
	"math/rand/v2"
	"net/http"
	"sort"
	"strconv"
	"strings"
)

// sums does as much work as the client asks for: the cost of a request depends on its size alone.
var sums = Service{
	Name: "sums", format: combined, handler: newSums,
	Endpoints: []Endpoint{
		{Name: "sort", Method: "GET", Request: "/sort?n={size}", Least: 20, Most: 8000},
		{Name: "primes", Method: "GET", Request: "/primes?n={size}", Least: 100, Most: 100000},
		{Name: "matrix", Method: "GET", Request: "/matrix?n={size}", Least: 4, Most: 60},
		{Name: "digits", Method: "GET", Request: "/digits?n={size}", Least: 10, Most: 600},
	},
}

func newSums() http.Handler {
	m := http.NewServeMux()
	m.HandleFunc("GET /sort", func(w http.ResponseWriter, r *http.Request) { say(w, sortNumbers(number(r, "n", 10001))) })
	m.HandleFunc("GET /primes", func(w http.ResponseWriter, r *http.Request) { say(w, primes(number(r, "n", 200001))) })
	m.HandleFunc("GET /matrix", func(w http.ResponseWriter, r *http.Request) { say(w, matrix(number(r, "n", 101))) })
	m.HandleFunc("GET /digits", func(w http.ResponseWriter, r *http.Request) { say(w, digits(number(r, "n", 1001))) })
	return m
}

func sortNumbers(n int) string {
	draw := rand.New(rand.NewPCG(uint64(n), 2))
	all := make([]int, n)
	for i := range all {
		all[i] = draw.IntN(1 << 20)
	}
	sort.Ints(all)
	var b strings.Builder
	for _, one := range all[:min(n, 100)] {
		b.WriteString(strconv.Itoa(one) + ",")
	}
	return b.String()
}

// primes counts those below n: the sieve of Eratosthenes.
func primes(n int) (count int) {
	composite := make([]bool, n+1)
	for i := 2; i < n; i++ {
		if composite[i] {
			continue
		}
		count++
		for j := i * i; j < n; j += i {
			composite[j] = true
		}
	}
	return count
}

func matrix(n int) (trace float64) {
	a, b := make([]float64, n*n), make([]float64, n*n)
	for i := range a {
		a[i], b[i] = float64(i%7), float64(i%11)
	}
	for i := range n {
		for j := range n {
			sum := 0.0
			for k := range n {
				sum += a[i*n+k] * b[k*n+j]
			}
			if i == j {
				trace += sum
			}
		}
	}
	return trace
}

// digits are those of e, by its series.
func digits(n int) string {
	one := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(n)), nil)
	sum, term := new(big.Int).Set(one), new(big.Int).Set(one)
	for k := int64(1); term.Sign() > 0; k++ {
		term.Div(term, big.NewInt(k))
		sum.Add(sum, term)
	}
	return sum.String()
}
