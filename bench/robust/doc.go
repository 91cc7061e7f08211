// Command robust makes hone fail on purpose, again and again, and counts what hone does
// wrong: killed at random moments, with a damaged ledger, with mutated input, against
// hostile servers, and with programs whose processes hide.
//
//	make robust                      # builds hone, then this: an hour
//	go run ./robust -for 8h
//	go run ./robust -kinds fuzz -for 1h -n fuzz=1000000
//	go run ./robust -kinds crash -repeat 17    # the 17th trial again, printed and not kept
//	go run ./robust -write           # writes the document only
//
// Every trial is one line in a file of results, so that a measurement that was interrupted
// goes on where it stopped: the number of a trial is the seed of its random choices, and the
// next trial of a kind has the next number. The document is made from that file alone.
//
// It needs Linux: processes are found in /proc.
package main
