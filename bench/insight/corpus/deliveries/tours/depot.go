// Package tours plans tours.
package tours

import "fmt"

// Address is where parcels go.
type Address struct {
	ID     string
	Street string
	X, Y   float64
}

// Parcel is what goes there.
type Parcel struct {
	Code    string
	Address string
	Grams   int
}

// Depot has the parcels of a day by tour.
type Depot struct {
	addresses []Address
	parcels   [][]Parcel
}

// NewDepot makes a depot with some tours of parcels to some of the addresses.
func NewDepot(tours, parcels, addresses int) *Depot {
	d := &Depot{}
	for i := range addresses {
		d.addresses = append(d.addresses, Address{ID: fmt.Sprintf("DE-%06d", i*37), Street: fmt.Sprintf("Elm Street %d", i), X: float64(i * 31 % 97), Y: float64(i * 17 % 89)})
	}
	for t := range tours {
		var ps []Parcel
		for k := range parcels {
			ps = append(ps, Parcel{Code: fmt.Sprintf("P%d-%d", t, k), Address: d.addresses[(t*61+k*43)%addresses].ID, Grams: 300 + k*41%5000})
		}
		d.parcels = append(d.parcels, ps)
	}
	return d
}
