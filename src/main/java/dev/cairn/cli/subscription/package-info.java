/** Commands about subscriptions, and about the runs that commits and schedules start. */
package dev.cairn.cli.subscription;
