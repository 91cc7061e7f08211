-- +goose Up
-- record is the SHA-256 of the record that holds the whole run or comparison (see
-- record_file.go), '' until there is one. origin is JSON: where it was measured, ''
-- for this ledger.
PRAGMA user_version = 3;

ALTER TABLE runs ADD COLUMN record TEXT NOT NULL DEFAULT '';
ALTER TABLE runs ADD COLUMN origin TEXT NOT NULL DEFAULT '';
ALTER TABLE comparisons ADD COLUMN record TEXT NOT NULL DEFAULT '';
ALTER TABLE comparisons ADD COLUMN origin TEXT NOT NULL DEFAULT '';

-- What a writer looks for each time it opens the ledger, and all records for the
-- comparison with the files.
CREATE INDEX runs_record ON runs (record, status, id);
CREATE INDEX comparisons_record ON comparisons (record, status, id);

DROP INDEX runs_history;
CREATE INDEX runs_history ON runs (seq, package, label, target, plan, machine, status, started, finished,
    commit_id, dirty, build_id, variant, comparison, id, pid, born, reason, origin);
