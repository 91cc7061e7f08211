// Command state keeps its whole state in one variable of type any.
package main

import "holding/heap"

type account struct {
	owner   string
	balance int64
	journal []int64
}

type ledger struct {
	accounts []account
	version  int
}

var state any //holder: state | ledger.accounts

func main() {
	heap.Program{
		Build: func(size int) {
			l := &ledger{version: 1}
			for range size / 900 {
				l.accounts = append(l.accounts, account{"a", 1, make([]int64, 100)})
			}
			state = l
		},
		Clear: func() { state = nil },
	}.Main()
}
