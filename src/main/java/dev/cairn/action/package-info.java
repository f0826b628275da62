/**
 * What commits and schedules set in motion: runs, their attempts, and who carries them out.
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
 * <p>Every change of a run is one statement, guarded by its status, attempt and lease: who comes
 * too late changes nothing. Runs are made by {@link dev.cairn.action.Outbox} and {@link
 * dev.cairn.action.CronTicks}, and carried out by {@link dev.cairn.action.Worker}, where to start
 * reading; {@link dev.cairn.action.Executor} is what a kind of action has to do, {@link
 * dev.cairn.action.Ongoing} what goes on elsewhere meanwhile. The rules are in {@code
 * docs/actions.md}.
 */
package dev.cairn.action;
