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
	// Uncompressed is the largest protobuf message, in bytes. Default 512 MiB, ten
	// times the largest profile that a screen is expected to open.
	Uncompressed int64
	// Memory is the largest estimate, from above, of what decoding allocates, in
	// bytes, garbage included; the message itself comes on top. Default 2 GiB. For
	// real profiles it is 16 (CPU) to 40 (heap) times the message, twice the truth, so
	// that messages up to 50 MB pass.
	Memory int64
	// Frames is the largest number of frames over all samples, inlined ones
	// counted, which bounds the time of everything that walks the stacks. Default
	// 100 million, some seconds of work.
	Frames int64
}

func (l Limits) withDefaults() Limits {
	for _, f := range []struct {
		v   *int64
		def int64
	}{
		{&l.Compressed, 64 << 20},
		{&l.Uncompressed, 512 << 20},
		{&l.Memory, 2 << 30},
		{&l.Frames, 100_000_000},
	} {
		if *f.v <= 0 {
			*f.v = f.def
		}
	}
	return l
}
