// Command headers keeps the first line of each message, and with it the buffer of the whole message.
package main

import (
	"bytes"

	"holding/heap"
)

var headers [][]byte //holder: headers

func receive(n int) {
	message := make([]byte, n)
	copy(message, "GET /orders HTTP/1.1\r\nHost: shop\r\n")
	line, _, _ := bytes.Cut(message, []byte("\r\n"))
	headers = append(headers, line)
}

func main() {
	heap.Program{
		Build: func(size int) {
			for range size / (32 << 10) {
				receive(32 << 10)
			}
		},
		Clear: func() { headers = nil },
	}.Main()
}
