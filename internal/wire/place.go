package wire

import (
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/gohone/hone/internal/text/fail"
)

// placeKind is what fills a place of hone's own, the same in every protocol.
type placeKind uint8

const (
	NoPlace     placeKind = iota
	PlaceNumber           // {n}, {n:K}: the number of the request over all connections, from 0; its rest modulo K
	placeRandom           // {rand:K}: a random number from 0 to K-1
	placeConn             // {conn}: the number of the connection, from 0
)

// Place is what a name in braces stands for, if it is not a column of a feed.
type Place struct {
	Kind  placeKind
	bound uint64 // numbers are below it; 0: no bound
}

const hintPlaces = "write {n} for the number of the request, {n:1000} for its rest modulo 1000, {rand:1000} for a random number below 1000, {conn} for that of the connection"

// PlaceOf is the place of a name; ok is false if no place has that name.
func PlaceOf(name string) (p Place, ok bool, err error) {
	base, bound, bounded := strings.Cut(name, ":")
	switch base {
	case "n":
		p.Kind = PlaceNumber
	case "rand":
		p.Kind = placeRandom
	case "conn":
		p.Kind = placeConn
	default:
		return p, false, nil
	}
	if !bounded && p.Kind != placeRandom {
		return p, true, nil
	}
	n, err := strconv.ParseUint(bound, 10, 63)
	if err != nil || n == 0 || p.Kind == placeConn {
		return p, false, fail.New(fail.BadInput, "{%s} is not a place", name).WithHint(hintPlaces)
	}
	p.bound = n
	return p, true, nil
}

// Fill is what fills the columns and places of one request.
type Fill struct {
	Conn, Turn, Number uint64
	Row                []string
}

// Value is the number that fills a place. salt tells the places of a request apart.
func (p Place) Value(f *Fill, salt int) uint64 {
	switch p.Kind {
	case PlaceNumber:
		if p.bound > 0 {
			return f.Number % p.bound
		}
		return f.Number
	case placeRandom:
		return draw(f.Conn, f.Turn, salt) % p.bound
	}
	return f.Conn
}

// braced is a word in braces that is meant to be filled: {id}, {rand:1000}, and neither {"a":1} nor { }.
var braced = regexp.MustCompile(`\{([A-Za-z_][A-Za-z0-9_.-]*(?::[A-Za-z0-9_.-]*)?)\}`)

// CheckPlaces refuses a {name} in a text that nothing fills: it would be sent as it stands there.
func (o *Options) CheckPlaces(where, text string) error {
	if o.Raw || !strings.Contains(text, "{") {
		return nil
	}
	var columns []string
	if o.Feed != nil {
		columns = o.Feed.Names
	}
	for _, found := range braced.FindAllStringSubmatch(text, -1) {
		name := found[1]
		if slices.Contains(columns, name) || found[0] == PortTemplate {
			continue
		}
		if _, ok, err := PlaceOf(name); err != nil {
			return err
		} else if ok {
			continue
		}
		err := fail.New(fail.BadInput, "{%s} in %s is not a column of the feed, and no place of hone", name, where)
		if near := fail.Nearest(name, append(slices.Clone(columns), "n", "rand:1000", "conn")); near != "" {
			return err.WithHint("did you mean {%s}? --set raw sends braces as they are", near)
		}
		return err.WithHint("--set raw sends braces as they are; columns come from --feed; or " + hintPlaces)
	}
	return nil
}

// numbersDrawn is how many messages are made of a text with places where each has to be encoded before the load.
const numbersDrawn = 10_000

// Drawn is f with a column for each place in a text, and so many rows that numbers seldom come again: for messages that
// are encoded before the load.
func (o *Options) Drawn(text string) (*Feed, error) {
	f := o.Feed
	if f == nil {
		f = &Feed{}
	}
	var names []string
	var places []Place
	for _, found := range braced.FindAllStringSubmatch(text, -1) {
		name := found[1]
		p, ok, _ := PlaceOf(name)
		if o.Raw || !ok || slices.Contains(f.Names, name) || slices.Contains(names, name) {
			continue
		}
		if p.Kind == placeConn {
			return nil, fail.New(fail.BadInput,
				"{conn} cannot stand in a message of gRPC: messages are encoded before the load").WithHint("put it into a header, or use {n} or {rand:1000}")
		}
		names, places = append(names, name), append(places, p)
	}
	if len(places) == 0 {
		return o.Feed, nil
	}
	out := &Feed{Names: slices.Concat(f.Names, names)}
	for i := range max(numbersDrawn, len(f.Rows)) {
		row := make([]string, 0, len(out.Names))
		if len(f.Rows) > 0 {
			row = append(row, f.Rows[i%len(f.Rows)]...)
		}
		for k, p := range places {
			row = append(row, strconv.FormatUint(p.Value(&Fill{Turn: uint64(i), Number: uint64(i)}, k), 10))
		}
		out.Rows = append(out.Rows, row)
	}
	return out, nil
}

// draw is a number that looks random: the same for one connection, turn and place, so that
// two variants get the same requests (SplitMix64, Steele et al., OOPSLA 2014, figure 17).
func draw(conn, turn uint64, salt int) uint64 {
	z := (conn+1)*0xd1342543de82ef95 + turn*0x9e3779b97f4a7c15 + uint64(salt)*0xbf58476d1ce4e5b9
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// Digits is how many decimal digits n has.
func Digits(n uint64) int {
	count := 1
	for limit := uint64(10); n >= limit; limit *= 10 {
		count++
		if limit > math.MaxUint64/10 {
			break
		}
	}
	return count
}
