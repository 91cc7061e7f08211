// Package sqltrace changes database/sql of a toolchain so that execution traces say which SQL
// statement a program works on, without a change of the program's source.
//
// Every driver is called from a few functions of database/sql. Rewrite renames them and adds a file that wraps each
// under its old name. Rows get a field that counts them. While no trace runs a wrapper reads one variable and calls on.
// While one runs it writes to the trace:
//
//   - a region (runtime/trace.Region) for each call, named Call or Prepare and the statement;
//   - in the region of a query, a message of category Rows: where its rows are in memory;
//   - after a wait for rows, a message of category Next: where the rows are, the nanoseconds, and at
//     their end how many were read (of a few rows only if the end was waited for);
//   - after a wait for a connection of the pool, a message of category Pool: MaxOpenConns, 0 for none.
//
// Statements have no values any more when they are written: see package statement.
//
// The alternative is to wrap each driver. It needs a hook in every way to open a database, and the
// wrapper hides the methods of a driver that the program asks for (sql.Conn.Raw, sql.DB.Driver).
package sqltrace
