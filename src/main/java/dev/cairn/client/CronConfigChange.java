package dev.cairn.client;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * What changes of the schedule; null removes a member.
 *
 * @param cronspec five fields: minute, hour, day of month, month, day of week. At least 5 minutes
 *     between two ticks; null if absent
 * @param timezone the IANA name of a zone; by default UTC; null leaves it, a JSON null removes it
 */
public record CronConfigChange(@Nullable String cronspec, @Nullable JsonNode timezone) {}
