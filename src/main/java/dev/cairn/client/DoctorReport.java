package dev.cairn.client;

import java.util.List;

/**
 * Whether a component is well.
 *
 * @param healthy whether all checks passed
 * @param checks all checks
 */
public record DoctorReport(boolean healthy, List<DoctorCheck> checks) {}
