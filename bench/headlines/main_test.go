package main

import (
	"slices"
	"strings"
	"testing"
)

// What is not all of it, at full length, does not replace the document.
func TestParseKeepsTheDocument(t *testing.T) {
	for args, want := range map[string]config{
		"":                       {hone: "../bin/hone", out: document, command: "make headlines"},
		"-quick":                 {hone: "../bin/hone", out: "-", quick: true, command: "go run ./headlines -quick"},
		"-only visits,framed":    {hone: "../bin/hone", out: "-", only: []string{"visits", "framed"}, command: "go run ./headlines -only visits,framed"},
		"-only chat -o chat.md":  {hone: "../bin/hone", out: "chat.md", only: []string{"chat"}, command: "go run ./headlines -only chat -o chat.md"},
		"-hone /opt/hone -o x.m": {hone: "/opt/hone", out: "x.m", command: "go run ./headlines -hone /opt/hone -o x.m"},
	} {
		got, err := parse(strings.Fields(args))
		same := slices.Equal(got.only, want.only)
		got.only, want.only = nil, nil
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

// Sections come in the order of the page, whatever the order of -only.
func TestChoose(t *testing.T) {
	chosen, err := choose([]string{"visits", "framed"})
	if err != nil || len(chosen) != 2 || chosen[0].Name != "framed" || chosen[1].Name != "visits" {
		t.Errorf("%+v, %v", chosen, err)
	}
	if chosen, err = choose(nil); err != nil || len(chosen) != len(sections) {
		t.Errorf("%d sections, %v", len(chosen), err)
	}
}

func TestLoadLine(t *testing.T) {
	if got := loadLine([]string{"machine x", "load      1 2 3", "go x"}); got != "load      1 2 3" {
		t.Errorf("%q", got)
	}
	if got := loadLine(nil); got != "" {
		t.Errorf("%q out of nothing", got)
	}
}
