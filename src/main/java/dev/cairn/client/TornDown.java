package dev.cairn.client;

import java.util.List;

/**
 * What a teardown has done, or would do.
 *
 * @param plan what is done, in this order
 * @param dryRun whether it was only planned
 */
public record TornDown(List<InstallItem> plan, boolean dryRun) {}
