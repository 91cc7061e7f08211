// Package ptytest lets tests look at what a program shows on a terminal, and press keys: a
// pseudo terminal, and the least emulator that understands what bubbletea writes to it.
package ptytest
