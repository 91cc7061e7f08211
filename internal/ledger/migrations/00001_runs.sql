-- +goose Up
-- Times are nanoseconds since 1970 UTC, durations nanoseconds. Runs and
-- comparisons share one space of ids. seq is the order of arrival: it holds when
-- the wall clock steps. pid and born name the process that writes a running row;
-- when a crashed one ended is not known (finished is NULL).
PRAGMA user_version = 1;

CREATE TABLE comparisons (
    seq      INTEGER PRIMARY KEY AUTOINCREMENT,
    id       TEXT NOT NULL UNIQUE CHECK (length(id) = 8),
    status   TEXT NOT NULL CHECK (status IN ('running','complete','partial','invalid','crashed','interrupted')),
    reason   TEXT NOT NULL DEFAULT '',
    started  INTEGER NOT NULL,
    finished INTEGER CHECK (finished >= started),
    word     TEXT NOT NULL DEFAULT '',
    sentence TEXT NOT NULL DEFAULT '',
    doc      TEXT CHECK (doc IS NULL OR json_valid(doc)),
    pid      INTEGER NOT NULL,
    born     TEXT NOT NULL,
    CHECK (status = 'running' AND finished IS NULL OR status = 'crashed' OR finished IS NOT NULL)
);

CREATE TABLE runs (
    seq        INTEGER PRIMARY KEY AUTOINCREMENT,
    id         TEXT NOT NULL UNIQUE CHECK (length(id) = 8),
    comparison TEXT REFERENCES comparisons (id),
    variant    TEXT NOT NULL DEFAULT '',
    status     TEXT NOT NULL CHECK (status IN ('running','complete','partial','invalid','crashed','interrupted')),
    reason     TEXT NOT NULL DEFAULT '',
    started    INTEGER NOT NULL,
    finished   INTEGER CHECK (finished >= started),
    label      TEXT NOT NULL DEFAULT '',
    package    TEXT NOT NULL DEFAULT '',
    commit_id  TEXT NOT NULL DEFAULT '',
    build_id   TEXT NOT NULL DEFAULT '',
    target     TEXT NOT NULL DEFAULT '',
    doc        TEXT CHECK (doc IS NULL OR json_valid(doc)),
    pid        INTEGER NOT NULL,
    born       TEXT NOT NULL,
    CHECK (status = 'running' AND finished IS NULL OR status = 'crashed' OR finished IS NOT NULL)
);
CREATE INDEX runs_comparison ON runs (comparison) WHERE comparison IS NOT NULL;
CREATE INDEX runs_running ON runs (status) WHERE status = 'running';

CREATE TABLE slices (
    run         TEXT NOT NULL REFERENCES runs (id),
    idx         INTEGER NOT NULL,
    block       INTEGER NOT NULL,
    pair        INTEGER NOT NULL,
    first       INTEGER NOT NULL CHECK (first IN (0, 1)),
    start       INTEGER NOT NULL,
    duration    INTEGER NOT NULL,
    scheduled   INTEGER NOT NULL,
    sent        INTEGER NOT NULL,
    answered    INTEGER NOT NULL,
    failed      INTEGER NOT NULL,
    unanswered  INTEGER NOT NULL,
    cpu         INTEGER NOT NULL,
    reads       INTEGER NOT NULL,
    writes      INTEGER NOT NULL,
    worker_cpu  INTEGER NOT NULL,
    worker_wall INTEGER NOT NULL,
    stalled     INTEGER NOT NULL,
    live        INTEGER NOT NULL,
    latency     BLOB,
    UNIQUE (run, idx)
);

CREATE TABLE artefacts (
    run    TEXT NOT NULL REFERENCES runs (id),
    kind   TEXT NOT NULL,
    name   TEXT NOT NULL,
    sha256 TEXT NOT NULL CHECK (length(sha256) = 64),
    size   INTEGER NOT NULL CHECK (size >= 0),
    UNIQUE (run, kind, name)
);
