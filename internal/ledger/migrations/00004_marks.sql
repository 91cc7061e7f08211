-- +goose Up
-- mark says which hone wrote the row (see mark.go): '' of what was imported, and where the user has no key.
PRAGMA user_version = 4;

ALTER TABLE runs ADD COLUMN mark TEXT NOT NULL DEFAULT '';
ALTER TABLE comparisons ADD COLUMN mark TEXT NOT NULL DEFAULT '';
