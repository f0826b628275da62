package dev.cairn.client;

/**
 * When it fires, see {@code docs/subscriptions.md}, Schedules.
 *
 * @param cronspec five fields: minute, hour, day of month, month, day of week. At least 5 minutes
 *     between two ticks
 * @param timezone the IANA name of a zone; by default UTC; null if absent
 */
public record CronConfig(String cronspec, @Nullable String timezone) {}
