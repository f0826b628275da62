/**
 * The audit logs: events of organizations, which are never deleted, and events of accounts. Each is
 * recorded in the transaction of what it tells of. See {@code docs/access.md}, Audit log.
 *
 * <p>It calls {@code access}, {@code platform} and {@code model}. Start reading at {@link
 * dev.cairn.access.audit.AuditLog} and {@link dev.cairn.access.audit.AccountAudit}.
 */
package dev.cairn.access.audit;
