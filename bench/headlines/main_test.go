package headlines

import (
	"slices"
	"strings"
	"testing"

	"github.com/gohone/hone/bench/bed"
)

// Sections come in their order, whatever the order of -only.
func TestParse(t *testing.T) {
	for args, want := range map[string][]section{"": sections, "-only visits,framed": {framed, visits},
		"-only chat -quick": {chat}} {
		b := bed.New("headlines", strings.Fields(args)...)
		got, quick := parse(b)
		same := slices.EqualFunc(got, want, func(a, b section) bool { return a.Name == b.Name })
		if b.Faults() != nil || !same || quick != strings.Contains(args, "quick") {
			t.Errorf("%q: %+v, %v; want %+v", args, got, b.Faults(), want)
		}
	}
	for args, want := range map[string]string{
		"-only framed,vists": `unknown section "vists" (known: framed, rpc, tls, visits, chat, havlak)`,
		"framed":             `unexpected argument "framed"`,
		"-quikc":             "-quikc",
	} {
		b := bed.New("headlines", strings.Fields(args)...)
		if parse(b); b.Faults() == nil || !strings.Contains(b.Faults().Error(), want) {
			t.Errorf("%q: %v, want %s", args, b.Faults(), want)
		}
	}
}
