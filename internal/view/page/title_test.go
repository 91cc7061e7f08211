package page

import "testing"

// A title names the program, never a directory such as ".", and what differs.
func TestTitlesNameTheProgramAndWhatDiffers(t *testing.T) {
	const pkg = "example.com/shop/cmd/server"
	for _, c := range []struct {
		labels []string
		pkg    string
		want   string
	}{
		{[]string{"."}, pkg, "server"},
		{[]string{"GOGC=400 ./cmd/server -x"}, pkg, "server GOGC=400 -x"},
		{[]string{"HEAD:."}, pkg, "server at HEAD"},
		{[]string{"./cmd/shop"}, "", "shop"},
		{[]string{"."}, "example.com/shop/v2", "shop"},
		{[]string{"http://127.0.0.1:8080"}, "", "http://127.0.0.1:8080"},
		{[]string{"HEAD:.", "."}, pkg, "server: HEAD vs working tree"},
		{[]string{"v1:./cmd/server -x", "v2:./cmd/server -x"}, pkg, "server: v1 vs v2"},
		{[]string{". -v -stage raw", ". -v -stage final"}, pkg, "server: -stage raw vs -stage final"},
		{[]string{".", "GOGC=400 ."}, pkg, "server vs server GOGC=400"},
		{[]string{".", "."}, pkg, "server against itself"},
		{[]string{"./a", "./b"}, "", "a vs b"},
	} {
		var all []titled
		for _, label := range c.labels {
			all = append(all, titledOf(label, c.pkg))
		}
		if got := versus(all); len(all) > 1 && got != c.want {
			t.Errorf("%q: %q, want %q", c.labels, got, c.want)
		}
		if got := all[0].String(); len(all) == 1 && got != c.want {
			t.Errorf("%q: %q, want %q", c.labels, got, c.want)
		}
	}
}

// Two runs of one command at different commits are told apart by these.
func TestTitlesTellCommitsApart(t *testing.T) {
	a, b := titledOf("./cmd/server", ""), titledOf("./cmd/server", "")
	a.commit, b.commit = "07af85c84e", "5f5b0c1f11"
	if got, want := versus([]titled{a, b}), "server: 07af85c84e vs 5f5b0c1f11"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
