package dev.cairn.oauth;

import java.util.List;
import java.util.Map;

/**
 * The content of the consent page: everything that a person needs for the decision.
 *
 * @param client the client's name, as it calls itself
 * @param provenance what is known of it
 * @param destination the destination of the answer; null for a device
 * @param userCode the device's code; null for an authorization request
 * @param fields the hidden fields, which are sent back with the decision
 */
record ConsentForm(
    String action,
    String csrf,
    String client,
    String provenance,
    String destination,
    String userCode,
    List<String> rights,
    Map<String, String> fields,
    SignOutForm signOut) {}
