// Command calibrate measures how far hone's verdicts can be believed, on two real
// services: how often two equal variants are called different or the same, and how
// often a slow-down that was planted is found.
//
//	go build -o bin/hone ./cmd/hone
//	cd bench && go run ./calibrate
//
// Every comparison is one line in a file of results, so that a calibration that was
// interrupted goes on where it stopped. The document is made from that file alone
// (-report makes it again). The kinds of comparisons, and the classic way beside them,
// take turns in random order, so that a drift of the machine hits them alike.
//
// With the defaults it takes hours. Nothing else should run meanwhile.
package main
