/**
 * Runs commands for subscriptions whose executor is a sprite; the rules are in {@code
 * docs/sprites.md}.
 *
 * <pre>
 *   SpriteExecutor ──▶ SpriteRun ──▶ SpriteBackend ──▶ SpriteExit, or until then SpriteCommand
 *                                    ├ HttpBackend        a service that runs commands
 *                                    ├ KubernetesBackend  a Job for each run
 *                                    └ LocalBackend       a child process
 * </pre>
 *
 * <p>The executor knows subscriptions, tokens and credential sets, and no backend; a backend knows
 * what to run with which environment, and nothing of what it is for. Commands that run elsewhere
 * are polled ({@link dev.cairn.sprite.RunningSprite}). Start reading at {@link
 * dev.cairn.sprite.SpriteExecutor}.
 */
package dev.cairn.sprite;
