package dev.cairn.client;

import com.fasterxml.jackson.annotation.JsonProperty;

/**
 * The codes of a device, RFC 8628.
 *
 * @param deviceCode the code with which the device polls for its token
 * @param userCode the code that the user enters
 * @param verificationUri the page on which the user enters it
 * @param verificationUriComplete the same with the code filled in
 * @param expiresIn seconds until the codes expire
 * @param interval seconds between two polls
 */
public record DeviceAnswer(
    @JsonProperty("device_code") String deviceCode,
    @JsonProperty("user_code") String userCode,
    @JsonProperty("verification_uri") String verificationUri,
    @JsonProperty("verification_uri_complete") String verificationUriComplete,
    @JsonProperty("expires_in") int expiresIn,
    int interval) {
  /** Without secrets. */
  @Override
  public String toString() {
    return "DeviceAnswer[verificationUri="
        + verificationUri
        + ", expiresIn="
        + expiresIn
        + ", interval="
        + interval
        + "]";
  }
}
