package headlines

import "testing"

func TestFigures(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{rounded(0.12345), "0.123"},
		{rounded(0), "0"},
		{rounded(9.876), "9.88"},
		{rounded(999.4), "999"},
		{rounded(26107), "26,100"},
		{rounded(1_234_567), "1,230,000"},
		{commas(5403), "5,403"},
		{commas(999), "999"},
		{commas(185_000), "185,000"},
		{micros(1072.29), "1.07 us"},
		{kilobytes(36519.9), "36.5 kB"},
		{megabytes(1_334_000_000), "1,330 MB"},
		{percent(0.7136), "71.4 %"},
		{secondsOf(2.264e9), "2.26 s"},
		{trimmed(25), "25"},
		{trimmed(2.5), "2.5"},
		{short("github.com/gohone/hone/services/chat.(*peer).Write"), "chat.(*peer).Write"},
		{short("main.run"), "main.run"},
		{fromTo(0, 1500, micros), "1.50 us"},
		{fromTo(3000, 1500, micros), "3.00 us -> 1.50 us"},
	} {
		if c.got != c.want {
			t.Errorf("got %q, want %q", c.got, c.want)
		}
	}
}
