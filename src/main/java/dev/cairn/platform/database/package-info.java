/**
 * SQL with PostgreSQL: statements and transactions, the failures of the database, migrations, the
 * readiness check, and the interface of the embedded database.
 *
 * <p>It calls {@code platform} and {@code model}. Start reading at {@link
 * dev.cairn.platform.database.Database}.
 */
package dev.cairn.platform.database;
