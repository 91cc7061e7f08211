// Command tail tries hone tail on services whose cause of slow requests is known, because it is planted
// and the services stamp it themselves.
//
//	make tail                              # builds hone, then this: a quarter of an hour
//	go run ./tail -only mutex -for 50s     # one service, for so long
//	go run ./tail -only mutex-tcp -print   # what hone says, and nothing is kept
//	go run ./tail -write                   # writes the document only
//
// Each service is measured at two rates of an open loop. Every measurement is one line in a file of
// results, so that one that was interrupted goes on where it stopped. The document is made from that file
// and from public.md alone.
//
// What is planted stands in the sources of the services, as comments that package marks reads.
package main
