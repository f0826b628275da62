/**
 * Components: reusable parts that an organization registers and repositories install, such as
 * shapes, subscriptions and the server behind them. A registered component has a {@link
 * dev.cairn.component.Manifest}; what installing it does is done by commits, subscriptions,
 * credential sets and tokens as a person would. See {@code docs/components.md}.
 *
 * <p>The states of an install, and what leads from one to the next:
 *
 * <pre>
 * resolve             begin                complete              teardown
 * ------->  resolved  ----->  installing  -------->  installed  -------->  torn_down
 *                                 ^  |        begin      |                     |
 *                                 |  +------- teardown --|-------------------> |
 *                                 +----------------------+---------------------+
 * </pre>
 */
package dev.cairn.component;
