package dev.cairn.client;

/**
 * A check.
 *
 * @param kind what was checked ({@code install}, {@code registration}, {@code version}, {@code
 *     shape}, {@code seed}, {@code credential-set}, {@code subscription}, {@code token}, {@code
 *     requirement})
 * @param name its name
 * @param ok whether it is well
 * @param detail what was found; null if absent
 * @param fix what to do; null if absent
 */
public record DoctorCheck(
    @Values({
          "install",
          "registration",
          "version",
          "shape",
          "seed",
          "credential-set",
          "subscription",
          "token",
          "requirement"
        })
        String kind,
    String name,
    boolean ok,
    @Nullable String detail,
    @Nullable String fix) {}
