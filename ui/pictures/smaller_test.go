package main

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"testing"
)

// A picture of few colours stays as it is. One of many keeps its size and its main colours.
func TestSmaller(t *testing.T) {
	few, many := image.NewRGBA(image.Rect(0, 0, 64, 64)), image.NewRGBA(image.Rect(0, 0, 64, 64))
	for i := range 64 * 64 {
		x, y := i%64, i/64
		few.Set(x, y, color.RGBA{uint8(x / 16), 200, uint8(y / 16), 255})
		many.Set(x, y, color.RGBA{uint8(4 * x), uint8(4 * y), 0, 255})
	}
	for y := range 8 {
		for x := range 64 {
			many.Set(x, y, color.RGBA{255, 255, 255, 255})
		}
	}
	for name, from := range map[string]*image.RGBA{"few": few, "many": many} {
		var data bytes.Buffer
		if err := png.Encode(&data, from); err != nil {
			t.Fatal(err)
		}
		out, err := smaller(data.Bytes())
		if err != nil {
			t.Fatal(err)
		}
		to, err := png.Decode(bytes.NewReader(out))
		if err != nil || to.Bounds() != from.Bounds() {
			t.Fatalf("%s: %v, %v", name, err, to.Bounds())
		}
		if _, ok := to.(*image.Paletted); !ok {
			t.Errorf("%s: %T", name, to)
		}
		for y := range 64 {
			for x := range 64 {
				if got, want := rgba(to.At(x, y)), from.RGBAAt(x, y); got != want && (name == "few" || y < 8) {
					t.Fatalf("%s: %v at %d, %d, want %v", name, got, x, y, want)
				}
			}
		}
	}
}
