// Package recorder records the metrics of runs in a child process of hone, so that
// scraping, encoding and writing take no CPU time from the load generator.
//
// The child is the same executable in a hidden role (Main). It has a low priority,
// and its failure never ends a measurement: it is restarted a few times, and what it
// missed is a gap in the record with a warning.
//
//	hone  --orders (gob, a pipe)-->   child   writes .hone/metrics/RUN, scrapes the pages
//	hone  <--reports (gob, a pipe)--  child   answers, and what is wrong with a page
//	hone  --its standard input-->     child   its end is the end of hone: the child ends at once
//
// What hone alone knows goes along with the orders: the load so far and the latest reading
// of the program's runtime. What the system knows of the program's processes and of the
// host the child reads by itself.
package recorder
