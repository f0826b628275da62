/**
 * The embedded PostgreSQL of a service that is not configured with a database. Its directory:
 *
 * <pre>
 *   lock                the pid of the service that holds the directory
 *   bin/…               PostgreSQL's programs, unpacked once per version
 *   postgres/           the cluster
 * postgres.password the password of the role cairn
 * superuser.password the password of the role postgres
 *   postgres.port       the port on 127.0.0.1, kept so that psql finds it again
 * postgres.log the log since the last start; postgres.log.1 is the previous log
 * </pre>
 *
 * <p>Only the process that holds the lock writes to the directory, so no step needs to handle
 * concurrent changes. Start reading at {@link dev.cairn.embedded.EmbeddedPostgres}.
 */
package dev.cairn.embedded;
