// Command findings tries hone advise on programs whose defect is known, because it is planted.
//
//	make findings                                    # builds hone, then this: half an hour
//	go run ./findings -only json-any,boxing -for 5m  # some trials, for so long
//	go run ./findings -only json-any -parts gain     # does the repair pay, and how much
//	go run ./findings -record ../internal/advice/testdata  # keeps what the fast tests need
//	go run ./findings -write                         # writes the document only
//
// A trial is a rule and three programs under internal/advice/testdata: speaks has the defect, fixed is the
// same program without it, silent looks like it and is right as it is. Comments in the source mark the
// planted lines. Every measurement is one line in a file of results, so that one that was interrupted goes
// on where it stopped. The document is made from that file, from reviewed.jsonl and from public.md alone.
package main
