package services

import (
	"crypto/md5"
	"encoding/hex"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"log"
	"net/http"
)

// pictures scales and encodes pictures.
var pictures = Service{
	Name: "pictures", format: slogParts, handler: newPictures,
	Endpoints: []Endpoint{
		{Name: "thumbnail", Method: "GET", Request: "/thumbnail/{key}?width={size}", Keys: pictureCount, Least: 16, Most: 96},
		{Name: "png", Method: "GET", Request: "/png/{key}?width={size}", Keys: pictureCount, Least: 16, Most: 64},
		{Name: "histogram", Method: "GET", Request: "/histogram/{key}", Keys: pictureCount},
		{Name: "digest", Method: "GET", Request: "/digest/{key}?times={size}", Keys: pictureCount, Least: 1, Most: 8},
	},
}

const (
	pictureCount = 50
	side         = 128
)

type gallery [pictureCount]*image.RGBA

func newPictures() http.Handler {
	g := new(gallery)
	for i := range g {
		g[i] = image.NewRGBA(image.Rect(0, 0, side, side))
		for p := range side * side {
			x, y := p%side, p/side
			g[i].SetRGBA(x, y, color.RGBA{uint8(x * (i + 1)), uint8(y * y / (i + 3)), uint8((x ^ y) * i), 255})
		}
	}
	m := http.NewServeMux()
	m.HandleFunc("GET /thumbnail/{key}", g.thumbnail)
	m.HandleFunc("GET /png/{key}", g.png)
	m.HandleFunc("GET /histogram/{key}", g.histogram)
	m.HandleFunc("GET /digest/{key}", g.digest)
	return m
}

// scaled is a picture of another width, each pixel the mean of those that it stands for.
func scaled(from *image.RGBA, width int) *image.RGBA {
	width = max(width, 1)
	to := image.NewRGBA(image.Rect(0, 0, width, width))
	for p := range width * width {
		x, y := p%width, p/width
		to.SetRGBA(x, y, mean(from, image.Rect(x*side/width, y*side/width, (x+1)*side/width, (y+1)*side/width)))
	}
	return to
}

func mean(from *image.RGBA, of image.Rectangle) color.RGBA {
	var r, g, b, n int
	for y := of.Min.Y; y < max(of.Max.Y, of.Min.Y+1); y++ {
		for x := of.Min.X; x < max(of.Max.X, of.Min.X+1); x++ {
			c := from.RGBAAt(x, y)
			r, g, b, n = r+int(c.R), g+int(c.G), b+int(c.B), n+1
		}
	}
	return color.RGBA{uint8(r / n), uint8(g / n), uint8(b / n), 255}
}

func (g *gallery) thumbnail(w http.ResponseWriter, r *http.Request) {
	if err := jpeg.Encode(w, scaled(g[number(r, "key", pictureCount)], number(r, "width", side)), nil); err != nil {
		log.Print("encode: ", err)
	}
}

func (g *gallery) png(w http.ResponseWriter, r *http.Request) {
	width := max(1, number(r, "width", side))
	if err := png.Encode(w, g[number(r, "key", pictureCount)].SubImage(image.Rect(0, 0, width, width))); err != nil {
		log.Print("encode: ", err)
	}
}

// histogram counts how bright the pixels are.
func (g *gallery) histogram(w http.ResponseWriter, r *http.Request) {
	var bins [32]int
	of := g[number(r, "key", pictureCount)]
	for p := range side * side {
		c := of.RGBAAt(p%side, p/side)
		bins[(299*int(c.R)+587*int(c.G)+114*int(c.B))/8000]++
	}
	answer(w, bins)
}

func (g *gallery) digest(w http.ResponseWriter, r *http.Request) {
	sum := md5.Sum(g[number(r, "key", pictureCount)].Pix)
	for range number(r, "times", 9) - 1 {
		sum = md5.Sum(append(sum[:], g[number(r, "key", pictureCount)].Pix...))
	}
	say(w, hex.EncodeToString(sum[:]))
}
