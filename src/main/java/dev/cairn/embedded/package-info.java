/**
 * The PostgreSQL that runs beside a service without a database of its own. Its directory:
 *
 * <pre>
 *   lock                the pid of the service that holds the directory
 *   bin/…               PostgreSQL's programs, unpacked once per version
 *   postgres/           the cluster
 *   postgres.password   of the role cairn
 *   superuser.password  of the role postgres
 *   postgres.port       the port on 127.0.0.1, kept so that psql finds it again
 *   postgres.log        since the last start; postgres.log.1 is the one before
 * </pre>
 *
 * <p>Whoever holds the lock may do anything in the directory, and nobody else does: this is why no
 * step looks out for a rival. Start reading at {@link dev.cairn.embedded.EmbeddedPostgres}.
 */
package dev.cairn.embedded;
