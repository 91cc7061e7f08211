// Package visits is a visitor counter: GET /hello?name=&color= counts the visits of each
// name, answers with a line of HTML and logs a line of JSON. It comes as a ladder of
// stages that answer and log the same bytes at different cost, one file for each, so that
// a tool that compares benchmarks can be tried on it; one of the stages makes it slower.
package visits
