/**
 * The runs that commits and schedules create, and their attempts.
 *
 * <pre>
 * pending ──┐
 *           ├─claim─▶ running ─┬─ done ───────────────────────────────────▶ succeeded
 * retry_wait┘         (leased) ├─ another attempt would not change it ────▶ failed_terminal
 *      ▲                  ▲    ├─ it might, and none is left ─────────────▶ dead_letter
 *      │                  └────┤ accepted: waits for a callback, unleased       │
 *      └── it might, or a lease or deadline has ended ──────────┴── retried ────┘
 * </pre>
 *
 * <p>Every change of a run is one statement, guarded by its status, attempt and lease: a worker
 * that comes too late changes nothing. Runs are made by {@link dev.cairn.action.Outbox} and {@link
 * dev.cairn.action.CronTicks}. They are a kind of leased work, which {@link dev.cairn.work.Worker}
 * carries out: start reading at {@link dev.cairn.action.RunKind}. {@link dev.cairn.action.Executor}
 * is what a kind of action has to do. The rules are in {@code docs/actions.md}.
 *
 * <p>The sub-packages call this package, and it calls none of them: {@code webhook} has the
 * executors that call servers, {@code read} what callers see of runs.
 */
package dev.cairn.action;
