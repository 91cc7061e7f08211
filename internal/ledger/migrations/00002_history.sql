-- +goose Up
-- What history and stored comparisons ask for. plan and machine are what has to be
-- equal for runs to be comparable (Plan.Key, MachineKey); measures hold a run's
-- results one by one, so that a list of them decodes no document. Shares are 0 to 1,
-- durations nanoseconds, times nanoseconds since 1970 UTC; NULL is not known.
PRAGMA user_version = 2;

ALTER TABLE slices ADD COLUMN build INTEGER NOT NULL DEFAULT 0;
ALTER TABLE slices ADD COLUMN steal REAL;
ALTER TABLE slices ADD COLUMN busy INTEGER;
ALTER TABLE slices ADD COLUMN others INTEGER;
ALTER TABLE slices ADD COLUMN load1 REAL;
ALTER TABLE slices ADD COLUMN throttled INTEGER;
ALTER TABLE slices ADD COLUMN cpu_pressure REAL;
ALTER TABLE slices ADD COLUMN memory_pressure REAL;
ALTER TABLE slices ADD COLUMN memory_stall REAL;
ALTER TABLE slices ADD COLUMN io_pressure REAL;

ALTER TABLE runs ADD COLUMN dirty INTEGER NOT NULL DEFAULT 0 CHECK (dirty IN (0, 1));
ALTER TABLE runs ADD COLUMN plan TEXT NOT NULL DEFAULT '';
ALTER TABLE runs ADD COLUMN machine TEXT NOT NULL DEFAULT '';

CREATE TABLE measures (
    run   TEXT NOT NULL REFERENCES runs (id),
    name  TEXT NOT NULL CHECK (name <> ''),
    unit  TEXT NOT NULL,
    value REAL NOT NULL,
    low   REAL,
    high  REAL CHECK ((low IS NULL) = (high IS NULL) AND (low IS NULL OR low <= high)),
    PRIMARY KEY (run, name)
) WITHOUT ROWID;

CREATE TABLE baselines (
    name TEXT PRIMARY KEY NOT NULL CHECK (name <> ''),
    run  TEXT NOT NULL REFERENCES runs (id),
    at   INTEGER NOT NULL,
    note TEXT NOT NULL DEFAULT ''
);

-- Lists without documents are read from this index alone: the columns of a row that
-- stand behind a document of many pages cost a walk along all of them.
CREATE INDEX runs_history ON runs (seq, package, label, target, plan, machine, status, started, finished,
    commit_id, dirty, build_id, variant, comparison, id, pid, born, reason);

-- What schema 1 knows stands in the documents (hone.run/1).
UPDATE runs SET machine =
    CASE WHEN coalesce(doc ->> '$.environment.cpu_model', '') = '' THEN ''
         ELSE (doc ->> '$.environment.cpu_model') || ', ' END ||
    (doc ->> '$.environment.cpus') || ' CPUs, ' ||
    (doc ->> '$.environment.os') || '/' || (doc ->> '$.environment.arch')
WHERE doc ->> '$.schema' = 'hone.run/1' AND (doc ->> '$.environment.cpus') IS NOT NULL
    AND (doc ->> '$.environment.os') IS NOT NULL AND (doc ->> '$.environment.arch') IS NOT NULL;

UPDATE runs SET dirty = 1 WHERE doc ->> '$.schema' = 'hone.run/1' AND json_type(doc, '$.binary.dirty') = 'true';

WITH spoken AS ( -- what is spoken to whom: framed://HOST/PATH
    SELECT id, doc, doc ->> '$.target' AS target FROM runs
    WHERE doc ->> '$.schema' = 'hone.run/1' AND doc ->> '$.plan.connections' IS NOT NULL
), cut AS (
    SELECT id, doc, substr(target, 1, instr(target, '://') - 1) AS scheme,
        substr(target, instr(target, '://') + 3) AS rest FROM spoken WHERE instr(target, '://') > 0
), parts AS (
    SELECT id, doc, scheme, CASE WHEN instr(rest, '/') = 0 THEN '/' ELSE substr(rest, instr(rest, '/')) END AS path FROM cut
)
UPDATE runs SET plan = parts.scheme ||
    CASE WHEN parts.path = '/' THEN '' ELSE ' ' || parts.path END || ', ' ||
    (parts.doc ->> '$.plan.connections') || ' connections, depth ' || coalesce(parts.doc ->> '$.plan.depth', 0) || ', ' ||
    CASE WHEN coalesce(parts.doc ->> '$.rate_hz', 0) = 0 THEN 'closed loop' ELSE (parts.doc ->> '$.rate_hz') || '/s' END ||
    coalesce((SELECT ', args ' || group_concat(value, ' ') FROM json_each(parts.doc, '$.args')), '')
FROM parts WHERE parts.id = runs.id;

INSERT INTO measures (run, name, unit, value, low, high)
SELECT id, 'cpu', 'ns', doc ->> '$.cpu_ns_per_request.value',
    CASE WHEN doc ->> '$.cpu_ns_per_request.confidence' > 0 THEN coalesce(doc ->> '$.cpu_ns_per_request.low', 0.0) END,
    CASE WHEN doc ->> '$.cpu_ns_per_request.confidence' > 0 THEN coalesce(doc ->> '$.cpu_ns_per_request.high', 0.0) END
FROM runs WHERE doc ->> '$.schema' = 'hone.run/1' AND json_type(doc, '$.cpu_ns_per_request.value') IN ('integer', 'real');

WITH source (name, unit, path) AS (VALUES
    ('p50', 'ns', '$.latency.p50'), ('p90', 'ns', '$.latency.p90'), ('p99', 'ns', '$.latency.p99'),
    ('p99.9', 'ns', '$.latency.p99_9'), ('rate', 'requests/s', '$.requests_per_second'),
    ('allocs', 'allocs', '$.per_request.allocs'), ('bytes', 'B', '$.per_request.alloc_bytes'),
    ('reads', 'calls', '$.per_request.read_calls'), ('writes', 'calls', '$.per_request.write_calls'),
    ('rss', 'B', '$.peak_rss_bytes'))
INSERT INTO measures (run, name, unit, value)
SELECT runs.id, source.name, source.unit, runs.doc ->> source.path FROM runs, source
WHERE runs.doc ->> '$.schema' = 'hone.run/1' AND json_type(runs.doc, source.path) IN ('integer', 'real')
    AND runs.doc ->> source.path > 0;
