package dev.cairn.work;

/**
 * How many attempts of one executor a replica carries out at a time, and how they are shared.
 *
 * @param total at most this many
 * @param ofRepository at most this many of one repository
 * @param ofHost at most this many of one host of a repository; one target has at most as many as it
 *     leaves to the other targets of its host, so half of them if no other one is used
 * @param leavesFreeSlots whether one tenant has at most three times as many as then stay free, so
 *     that the first attempts of another tenant begin without waiting
 * @param detectsSlowTargets whether a target is in doubt while an attempt takes long
 */
public record SlotLimits(
    int total, int ofRepository, int ofHost, boolean leavesFreeSlots, boolean detectsSlowTargets) {
  // Denominators of parts of all slots.
  private static final int REPOSITORY_FRACTION = 4;
  private static final int HOST_FRACTION = 8;

  /** For calls of servers, which answer promptly unless something is wrong. */
  public static SlotLimits ofCalls(int total) {
    return new SlotLimits(
        total, part(total, REPOSITORY_FRACTION), part(total, HOST_FRACTION), true, true);
  }

  /** For commands of tenants, which may take minutes without being in doubt. */
  public static SlotLimits ofCommands(int total) {
    return new SlotLimits(
        total, part(total, REPOSITORY_FRACTION), part(total, HOST_FRACTION), true, false);
  }

  /** For jobs within the service, of which one target has at most half of the slots. */
  public static SlotLimits ofJobs(int total) {
    return new SlotLimits(total, total, total, false, false);
  }

  private static int part(int total, int parts) {
    return Math.max(1, total / parts);
  }
}
