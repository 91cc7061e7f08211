package main

import (
	"bufio"
	"fmt"
	"net"
	"strings"
	"time"
)

// attend answers questions about the book, one after the other.
func attend(c net.Conn) {
	defer c.Close()
	lines := bufio.NewScanner(c)
	for n := 0; lines.Scan(); n++ {
		words := strings.Fields(lines.Text())
		time.Sleep(8 * time.Millisecond)
		state := "taken"
		if len(words) > 2 && strings.HasSuffix(words[2], "7") && n%2 == 0 {
			state = "free"
		}
		fmt.Fprintf(c, "%s %d\n", state, n)
	}
}
