package units

import (
	"math"
	"strconv"
	"strings"
	"testing"
	"time"
)

// sized are ways to write a number of either sign: each row is a value over 0 and its text.
var sized = []struct {
	name  string
	write func(float64) string
	rows  map[float64]string
}{
	{"Digits", Digits, map[float64]string{
		1500: "1,500", 1234567.8: "1,234,568", 999.7: "1,000", 999.4: "999", 123: "123", 99.97: "100",
		12.34: "12.3", 9.996: "10.0", 1.234: "1.23", 0.9996: "1.00", 0.1234: "0.123", 0.01: "0.010",
		0.00999: "0.010", 0.0012: "0.0012", 0.00000012: "0.00000012", 1e18: "1,000,000,000,000,000,000",
	}},
	{"Nanos", Nanos, map[float64]string{
		13900: "13.9 us", 970: "970 ns", 0.4: "0.400 ns", 2.5e9: "2.50 s", 999999: "1.00 ms", 999.4: "999 ns",
		7.2e12: "7,200 s",
	}},
	{"Bytes", Bytes, map[float64]string{1234567: "1.23 MB", 512: "512 B", 999.9: "1.00 kB", 5e12: "5,000 GB"}},
	{"Rate", Rate, map[float64]string{75374.4: "75,374/s", 3.14159: "3.14/s", 123.4: "123/s", 1e6: "1,000,000/s"}},
	{"Nanoseconds.Write", Nanoseconds.Write, map[float64]string{1500: "1.50 us"}},
	{"Plain.Write", Plain.Write, map[float64]string{1500: "1,500", 0.25: "0.250"}},
	{"PerSecond.Write", PerSecond.Write, map[float64]string{1500: "1,500 1/s"}},
}

// What is written of a value below 0 is what is written of its size, behind a minus.
func TestNumbersOfEitherSign(t *testing.T) {
	for _, w := range sized {
		for v, want := range w.rows {
			if got := w.write(v); got != want {
				t.Errorf("%s(%v) = %q, want %q", w.name, v, got, want)
			}
			if got := w.write(-v); got != "-"+want {
				t.Errorf("%s(%v) = %q, want %q", w.name, -v, got, "-"+want)
			}
		}
		for v, want := range map[float64]string{math.Inf(1): "+Inf", math.Inf(-1): "-Inf", math.NaN(): "NaN", 0: "0"} {
			if got := w.write(v); !strings.HasPrefix(got, want) {
				t.Errorf("%s(%v) = %q, want %q", w.name, v, got, want)
			}
		}
	}
}

// A percentage has its sign in any case.
func TestPercentagesOfEitherSign(t *testing.T) {
	for v, want := range map[float64]string{
		0.93: "93 %", 0.9345: "93.5 %", 0.004: "0.40 %", 13.33: "1,333 %", 9.9996: "1,000 %", 9.994: "999 %",
		0.99951: "100 %", 0.0949: "9.5 %", 1e9: "100,000,000,000 %", math.Inf(1): "Inf %",
	} {
		if got := Percent(v); got != "+"+want {
			t.Errorf("Percent(%v) = %q, want %q", v, got, "+"+want)
		}
		if got := Percent(-v); got != "-"+want {
			t.Errorf("Percent(%v) = %q, want %q", -v, got, "-"+want)
		}
	}
	for _, c := range []struct {
		low, high float64
		want      string
	}{
		{-0.934, -0.926, "-93.4 ... -92.6 %"},
		{-0.0004, 0.0005, "-0.04 ... +0.05 %"},
		{-0.9227, -0.9215, "-92.27 ... -92.15 %"},
		{-0.005, 0.043, "-0.50 ... +4.3 %"},
		{math.Inf(-1), math.Inf(1), "-Inf ... +Inf %"},
	} {
		if got := Span(c.low, c.high); got != c.want {
			t.Errorf("Span(%v, %v) = %q, want %q", c.low, c.high, got, c.want)
		}
	}
}

func TestPairsInOneUnit(t *testing.T) {
	for _, c := range []struct{ got, want string }{} {
		if c.got != c.want {
			t.Errorf("got %q, want %q", c.got, c.want)
		}
	}
}

func TestDurationsOfEitherSign(t *testing.T) {
	for d, want := range map[time.Duration]string{
		1500 * time.Millisecond:   "1.5 s",
		45 * time.Second:          "45 s",
		250 * time.Millisecond:    "250ms",
		3 * time.Minute:           "3m0s",
		9960 * time.Millisecond:   "10 s",
		119700 * time.Millisecond: "2m0s",
		999700 * time.Microsecond: "1.0 s",
	} {
		if got := Seconds(d); got != want {
			t.Errorf("Seconds(%d) = %q, want %q", d, got, want)
		}
		if got := Seconds(-d); got != "-"+want {
			t.Errorf("Seconds(%d) = %q, want %q", -d, got, "-"+want)
		}
	}
}

func TestCount(t *testing.T) {
	for n, want := range map[uint64]string{0: "0", 7: "7", 999: "999", 1000: "1,000", 1234567: "1,234,567",
		math.MaxUint64: "18,446,744,073,709,551,615"} {
		if got := Count(n); got != want {
			t.Errorf("Count(%d) = %q, want %q", n, got, want)
		}
	}
}

// FuzzDigits: what is written reads back as the value, to its digits and with its sign.
func FuzzDigits(f *testing.F) {
	for _, v := range []float64{-1500, 0.5, 999.7, -0.00001, 1e300, 5e-324} {
		f.Add(v)
	}
	f.Fuzz(func(t *testing.T, v float64) {
		text := Digits(v)
		if math.IsInf(v, 0) || math.IsNaN(v) {
			return
		}
		read, err := strconv.ParseFloat(strings.ReplaceAll(text, ",", ""), 64)
		if err != nil {
			t.Fatalf("Digits(%v) = %q: %v", v, text, err)
		}
		if math.Abs(read-v) > 0.051*math.Abs(v) || math.Signbit(read) != math.Signbit(v) && v != 0 {
			t.Errorf("Digits(%v) = %q", v, text)
		}
	})
}
