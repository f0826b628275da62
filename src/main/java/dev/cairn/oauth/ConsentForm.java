package dev.cairn.oauth;

import java.util.List;
import java.util.Map;

/**
 * What the consent page shows: everything that a person needs in order to refuse.
 *
 * @param client the client's name, as it calls itself
 * @param provenance what is known of it
 * @param destination where the answer goes; null for a device
 * @param userCode the device's code; null if a browser is sent on
 * @param fields what the form gives back beside the decision
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
