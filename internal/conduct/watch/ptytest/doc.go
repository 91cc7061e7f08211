// Package ptytest lets tests look at what a program shows on a terminal, and press keys: a
// pseudo terminal, and an emulator of one.
package ptytest
