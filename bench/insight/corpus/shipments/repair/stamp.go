package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
)

// stamp sets the carrier and the version of a shipment.
func stamp(body []byte, carrier, version string) ([]byte, error) {
	var doc map[string]json.RawMessage // all but two fields pass as they are
	if err := json.Unmarshal(body, &doc); err != nil {
		return nil, fmt.Errorf("shipment: %w", err)
	}
	if doc == nil {
		return nil, errors.New("shipment: an object is needed")
	}
	doc["carrier"] = []byte(strconv.Quote(carrier))
	doc["version"] = []byte(strconv.Quote(version))
	return json.Marshal(doc)
}
