package prof

import "errors"

// ErrLimit is in the chain of every error of Parse that a higher limit would
// avoid.
var ErrLimit = errors.New("profile exceeds a limit")

// Limits bound what Parse spends on one profile, because the format lets a small
// file ask for much: gzip packs up to 1:1032, and two bytes of protobuf become a
// structure of about a hundred. In every field zero means the default.
type Limits struct {
	// Compressed is the largest gzip stream read, in bytes. Default 64 MiB.
	Compressed int64
	// Uncompressed is the largest protobuf message, in bytes. Default 256 MiB, five
	// times the largest profile that a screen is expected to open.
	Uncompressed int64
	// Memory is the largest estimate, from above, of what decoding allocates, in
	// bytes, garbage included; the message itself comes on top. Default 2 GiB. For
	// real profiles it is 16 (CPU) to 40 (heap) times the message, twice the truth, so
	// that messages up to 50 MB pass. A small file gets less: see maxGrowth.
	Memory int64
	// Frames is the largest number of frames over all samples, inlined ones
	// counted, which bounds the time of everything that walks the stacks. Default
	// 100 million, some seconds of work.
	Frames int64
	// Depth is the largest number of frames of one stack, inlined ones counted. Default
	// 4096: Go's runtime stops at 1024 (GODEBUG=profstackdepth), and a tree in JSON takes
	// two levels for each frame, of which encoding/json reads 10,000.
	Depth int64
}

const (
	// maxGrowth bounds what a small file may ask for: decoding may allocate freeMemory and
	// so many times the file. 100,000 recursive stacks of 512 frames take 400 times their
	// 3 MB, other real profiles 30 to 170 times.
	maxGrowth  = 512
	freeMemory = 64 << 20

	// maxField is the largest field of a profile, such as one sample or one name, in
	// bytes: fifty times what a sample of Limits.Depth frames takes.
	maxField = 1 << 20

	// maxSampleTypes is how many numbers a sample may have; Go's profiles have 2 or 4.
	maxSampleTypes = 64
)

func (l Limits) withDefaults() Limits {
	for _, f := range []struct {
		v   *int64
		def int64
	}{
		{&l.Compressed, 64 << 20},
		{&l.Uncompressed, 256 << 20},
		{&l.Memory, 2 << 30},
		{&l.Frames, 100_000_000},
		{&l.Depth, 4096},
	} {
		if *f.v <= 0 {
			*f.v = f.def
		}
	}
	return l
}

// forFile are the limits for a file of so many bytes, as it was packed.
func (l Limits) forFile(size int64) Limits {
	l.Memory = min(l.Memory, freeMemory+maxGrowth*size)
	return l
}
