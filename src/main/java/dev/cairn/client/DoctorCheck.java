package dev.cairn.client;

/**
 * A check.
 *
 * @param kind what was checked ({@code install}, {@code registration}, {@code version}, {@code
 *     record}, {@code shape}, {@code seed}, {@code credential-set}, {@code subscription}, {@code
 *     token}, {@code address}, {@code requirement})
 * @param name its name
 * @param ok whether it passed
 * @param detail what was found; null if absent
 * @param fix what to do; null if absent
 */
public record DoctorCheck(
    @Values({
          "install",
          "registration",
          "version",
          "record",
          "shape",
          "seed",
          "credential-set",
          "subscription",
          "token",
          "address",
          "requirement"
        })
        String kind,
    String name,
    boolean ok,
    @Nullable String detail,
    @Nullable String fix) {}
