package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
)

// stamp sets the carrier and the version of a shipment.
func stamp(body []byte, carrier, version string) ([]byte, error) {
	var doc map[string]any
	dec := json.NewDecoder(bytes.NewReader(body))
	dec.UseNumber()
	if err := dec.Decode(&doc); err != nil {
		return nil, fmt.Errorf("shipment: %w", err)
	}
	if doc == nil {
		return nil, errors.New("shipment: an object is needed")
	}
	doc["carrier"] = carrier
	doc["version"] = version
	return json.Marshal(doc)
}
