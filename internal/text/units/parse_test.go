package units

import "testing"

func TestParseBytes(t *testing.T) {
	for text, want := range map[string]uint64{
		"512MiB": 512 << 20, "1.5 GB": 1_500_000_000, "100B": 100, "64kB": 64_000, "2GiB": 2 << 30, " 1 KiB ": 1024,
		"": 0, "512": 0, "MiB": 0, "-1MB": 0, "0B": 0, "0.5B": 0, "1e30GB": 0, "NaNMB": 0, "InfB": 0, "5MiBs": 0,
	} {
		got, err := ParseBytes(text)
		if got != want || (err == nil) != (want > 0) {
			t.Errorf("%q: %d, %v, want %d", text, got, err, want)
		}
	}
}

func FuzzParseBytes(f *testing.F) {
	f.Add("512MiB")
	f.Add("1e9B")
	f.Fuzz(func(t *testing.T, text string) {
		if n, err := ParseBytes(text); (err == nil) != (n > 0) {
			t.Errorf("%q: %d, %v", text, n, err)
		}
	})
}
