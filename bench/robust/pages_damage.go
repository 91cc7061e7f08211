package robust

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
)

// damage is one way in which a disk loses data.
type damage struct {
	name string
	// change returns the damaged bytes, and where they are in words. It may change data.
	change func(data []byte, random *rand.Rand) ([]byte, string)
}

// pageSize is that of most file systems.
const pageSize = 4096

var damages = []damage{
	{"bit flipped", func(data []byte, random *rand.Rand) ([]byte, string) {
		at, bit := random.IntN(len(data)), random.IntN(8)
		data[at] ^= 1 << bit
		return data, fmt.Sprintf("bit %d of byte %d", bit, at)
	}},
	{"sector of zeros", func(data []byte, random *rand.Rand) ([]byte, string) {
		return overwrite(data, 512, random, func([]byte) {})
	}},
	{"page of zeros", func(data []byte, random *rand.Rand) ([]byte, string) {
		return overwrite(data, pageSize, random, func([]byte) {})
	}},
	{"page of garbage", func(data []byte, random *rand.Rand) ([]byte, string) {
		return overwrite(data, pageSize, random, func(page []byte) { copy(page, noise(random, len(page))) })
	}},
	{"page of another place", func(data []byte, random *rand.Rand) ([]byte, string) {
		from := random.IntN(max(1, len(data)/pageSize)) * pageSize
		other := bytes.Clone(data[from:min(len(data), from+pageSize)])
		return overwrite(data, pageSize, random, func(page []byte) { copy(page, other) })
	}},
	{"cut off", func(data []byte, random *rand.Rand) ([]byte, string) {
		at := random.IntN(len(data))
		return data[:at], fmt.Sprintf("at byte %d of %d", at, len(data))
	}},
	{"cut off between pages", func(data []byte, random *rand.Rand) ([]byte, string) {
		at := random.IntN(len(data)/pageSize+1) * pageSize
		at = min(at, len(data)-1)
		return data[:at], fmt.Sprintf("at byte %d of %d", at, len(data))
	}},
	{"garbage after it", func(data []byte, random *rand.Rand) ([]byte, string) {
		n := 1 + random.IntN(2*pageSize)
		return append(data, noise(random, n)...), fmt.Sprintf("%d bytes", n)
	}},
}

// overwrite replaces an aligned block of a size, first by zeros and then by fill.
func overwrite(data []byte, size int, random *rand.Rand, fill func([]byte)) ([]byte, string) {
	at := random.IntN((len(data)+size-1)/size) * size
	block := data[at:min(len(data), at+size)]
	clear(block)
	fill(block)
	return data, fmt.Sprintf("%d bytes from %d on", len(block), at)
}

// strike damages a file in place.
func (d damage) strike(path string, random *rand.Rand) (place string, err error) {
	data, err := os.ReadFile(path)
	if err == nil && len(data) == 0 {
		err = errors.New("it is empty")
	}
	if err != nil {
		return "", fmt.Errorf("damage %s: %w", path, err)
	}
	data, place = d.change(data, random)
	if err := os.WriteFile(path, data, 0o600); err != nil {
		return "", fmt.Errorf("damage %s: %w", path, err)
	}
	return place, nil
}
