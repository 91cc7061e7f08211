package main

import (
	"slices"
	"strings"
	"testing"
)

// What is not all of it, at full length, does not replace the document.
// Sections come in the order of the page, whatever the order of -only.
func TestParseKeepsTheDocument(t *testing.T) {
	for args, want := range map[string]config{
		"":                       {hone: "../bin/hone", out: document, sections: sections, command: "make headlines"},
		"-quick":                 {hone: "../bin/hone", out: "-", quick: true, sections: sections, command: "go run ./headlines -quick"},
		"-only visits,framed":    {hone: "../bin/hone", out: "-", sections: []section{framed, visits}, command: "go run ./headlines -only visits,framed"},
		"-only chat -o chat.md":  {hone: "../bin/hone", out: "chat.md", sections: []section{chat}, command: "go run ./headlines -only chat -o chat.md"},
		"-hone /opt/hone -o x.m": {hone: "/opt/hone", out: "x.m", sections: sections, command: "go run ./headlines -hone /opt/hone -o x.m"},
	} {
		got, err := parse(strings.Fields(args))
		same := slices.EqualFunc(got.sections, want.sections, func(a, b section) bool { return a.Name == b.Name })
		if err != nil || !same || got.out != want.out || got.hone != want.hone || got.quick != want.quick || got.command != want.command {
			t.Errorf("%q: %+v, %v; want %+v", args, got, err, want)
		}
	}
	for args, want := range map[string]string{
		"-only framed,vists": `unknown section "vists" (known: framed, rpc, tls, visits, chat, havlak)`,
		"framed":             `unexpected argument "framed"`,
		"-quikc":             "-quikc",
	} {
		if _, err := parse(strings.Fields(args)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", args, err, want)
		}
	}
}
