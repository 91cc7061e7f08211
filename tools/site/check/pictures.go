package main

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io/fs"
)

// oldPictures says since when the pictures no longer show what hone's pages look like; nothing if they do. It is a
// warning: not every change of the pages is seen in a picture.
func oldPictures(repository fs.FS) (string, error) {
	text, err := fs.ReadFile(repository, "docs/pictures/made.json")
	if err != nil {
		return "", err
	}
	var made struct{ Date, Pages string }
	if err := json.Unmarshal(text, &made); err != nil {
		return "", fmt.Errorf("docs/pictures/made.json: %w", err)
	}
	sum := sha256.New()
	for _, name := range []string{"hone.css", "hone.js"} {
		data, err := fs.ReadFile(repository, "internal/view/web/dist/"+name)
		if err != nil {
			return "", err
		}
		sum.Write(data)
	}
	if hex.EncodeToString(sum.Sum(nil)) == made.Pages {
		return "", nil
	}
	return fmt.Sprintf("the pictures of docs/pictures are of %s, and the pages in internal/view/web/dist have changed since: look at them, and run make pictures if it shows", made.Date), nil
}
