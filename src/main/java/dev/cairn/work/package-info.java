/**
 * Leased work: work that waits in the database and is carried out by any replica, never by two at
 * the same time, and never lost when a replica dies.
 *
 * <pre>
 * due ──claim──▶ leased ──result──▶ recorded: done, failed, or due again by the retry schedule
 *  ▲               │ ▲
 *  │               └─┘ renewed every 5 s until the result is recorded
 *  └── given back at shutdown, or rescued after its lease has ended
 * </pre>
 *
 * <p>To add a kind of work:
 *
 * <ol>
 *   <li>Make a table whose primary key begins with {@code repo_id}, with a status, an attempt
 *       count, {@code due_at} and {@code lease}, and a partial index on {@code due_at} of what
 *       waits. Every statement that changes a row checks its status, attempt and lease.
 *   <li>Make a {@link dev.cairn.work.WorkItem} of what a claim returns, and implement {@link
 *       dev.cairn.work.WorkKind}: {@code ready} and {@code claim} take what is due with {@code for
 *       update skip locked}, {@code begin} carries an attempt out, {@code end} decides what
 *       follows, with a {@link dev.cairn.work.RetrySchedule}, and returns what records it.
 *   <li>Produce a {@link dev.cairn.work.Worker} of it as a bean, with a gauge of its active
 *       attempts; {@code Workers} starts, polls and stops it.
 *   <li>To be carried out at once, send {@code NOTIFY} with the id of the repository on a channel
 *       of its own in the transaction that inserts a row, or call {@code wake} after it.
 *   <li>Count what waits by a {@link dev.cairn.work.CountedQueue}.
 * </ol>
 *
 * <p>Work without a target outside has less to say: it extends {@link dev.cairn.work.JobKind} and
 * {@link dev.cairn.work.JobQueue}, and only selects, claims and ends its rows itself.
 *
 * <p>Work that fits into the transaction that finds it needs no lease: {@link
 * dev.cairn.work.TransactionalWork}. Hourly cleanup is a {@link dev.cairn.work.Chore}.
 *
 * <p>It calls only {@code platform}. Start reading at {@link dev.cairn.work.Worker}. The rules are
 * in {@code docs/actions.md}, Workers, and {@code docs/architecture.md}, Leased work.
 */
package dev.cairn.work;
