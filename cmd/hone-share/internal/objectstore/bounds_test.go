package objectstore

import (
	"bytes"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/gohone/hone/cmd/hone-share/internal/objectstore/storetest"
	"github.com/gohone/hone/internal/text/fail"
	"github.com/gohone/hone/internal/text/inputs"
)

// A list that has no end is refused: pages without a name, and names that are never taken.
func TestListsWithoutAnEnd(t *testing.T) {
	storetest.Credentials(t)
	for what, c := range map[string]struct {
		names int
		want  string
	}{
		"pages without a name": {0, inputs.ListedPages.Limit()},
		"names of others":      {1000, inputs.ListedObjects.Limit()},
	} {
		t.Run(what, func(t *testing.T) {
			page := 0
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				page++
				var names strings.Builder
				for i := range c.names {
					fmt.Fprintf(&names, "<Contents><Key>b/x/%d</Key><Size>1</Size></Contents>", page*c.names+i)
				}
				fmt.Fprintf(w,
					"<ListBucketResult><IsTruncated>true</IsTruncated><NextContinuationToken>%d</NextContinuationToken>%s</ListBucketResult>", page, &names)
			}))
			defer server.Close()
			_, err := openStore(t, server.URL, "s3://runs/b").List(t.Context())
			wants(t, err, fail.BadInput, "more than", c.want)
		})
	}
}

// Of an object no more is taken than the list says.
func TestAnObjectLargerThanItsListing(t *testing.T) {
	storetest.Credentials(t)
	server := storetest.Start(t, "runs")
	s := openStore(t, server.URL, "s3://runs")
	if err := put(t, s, "one", "the text"); err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	_, err := s.Get(t.Context(), "one", 3, &b)
	wants(t, err, fail.BadInput, "it has 8 bytes, and the list says 3")
	if b.Len() > 0 {
		t.Errorf("%d bytes were taken", b.Len())
	}
	// A store that does not say the size of what it sends.
	endless := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Last-Modified", "Thu, 26 Nov 2026 08:00:00 GMT")
		for range 64 {
			w.Write(bytes.Repeat([]byte("x"), 1<<10))
			w.(http.Flusher).Flush()
		}
	}))
	defer endless.Close()
	b.Reset()
	if _, err = openStore(t, endless.URL, "s3://runs").Get(t.Context(), "one", 3, &b); err == nil || b.Len() > 4 {
		t.Errorf("%d bytes were taken, %v", b.Len(), err)
	}
}
