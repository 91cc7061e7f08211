package units

import (
	"math"
	"testing"
	"time"
)

func TestUnits(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{Nanos(13900), "13.9 us"},
		{Nanos(970), "970 ns"},
		{Nanos(0.4), "0.400 ns"},
		{Nanos(2.5e9), "2.50 s"},
		{Bytes(1234567), "1.23 MB"},
		{Count(1234567), "1,234,567"},
		{Count(7), "7"},
		{Rate(75374.4), "75,374/s"},
		{Rate(3.14159), "3.14/s"},
		{Percent(-0.93), "-93 %"},
		{Percent(-0.9345), "-93.5 %"},
		{Percent(0.004), "+0.40 %"},
		{Percent(13.33), "+1,333 %"},
		{Percent(math.Inf(1)), "+Inf %"},
		{Span(-0.934, -0.926), "-93.4 ... -92.6 %"},
		{Span(-0.0004, 0.0005), "-0.04 ... +0.05 %"},
		{Nanoseconds.Between(13900, 970), "13.9 -> 0.970 us"},
		{PerSecond.Between(185000, 270000), "185,000 -> 270,000 1/s"},
		{Seconds(1500 * time.Millisecond), "1.5 s"},
		{Seconds(45 * time.Second), "45 s"},
		{Span(-0.9227, -0.9215), "-92.27 ... -92.15 %"},
		{Span(-0.005, 0.043), "-0.50 ... +4.3 %"},
	} {
		if c.got != c.want {
			t.Errorf("got %q, want %q", c.got, c.want)
		}
	}
}
