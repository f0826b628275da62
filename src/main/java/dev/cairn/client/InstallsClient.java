package dev.cairn.client;

import com.fasterxml.jackson.core.type.TypeReference;
import java.util.List;

/** The components that a repository has installed: {@code docs/components.md}. */
public final class InstallsClient {
  private final Transport transport;
  private final String organization;
  private final String repository;

  InstallsClient(Transport transport, String organization, String repository) {
    this.transport = transport;
    this.organization = organization;
    this.repository = repository;
  }

  /** What is installed or was torn down, the oldest first. */
  public List<Install> listInstalls() {
    return transport.json(at(Call.get()), new TypeReference<>() {});
  }

  /**
   * Installs a version of a component, or plans it. The same request completes an installation that
   * was interrupted; only its first answer has the component's token.
   */
  public Installed installComponent(Installation installation) {
    return transport.json(at(Call.post()).json(installation), Installed.class);
  }

  /** Checks whether a component is well; changes nothing. */
  public DoctorReport examineComponent(String installId) {
    return transport.json(
        at(Call.post()).segment(installId).segment("doctor").repeatable(), DoctorReport.class);
  }

  /** Tears a component down, or plans it; content and credential sets stay. */
  public TornDown tearDownComponent(String installId, Teardown teardown) {
    return transport.json(
        at(Call.post()).segment(installId).segment("teardown").json(teardown).repeatable(),
        TornDown.class);
  }

  /** Mints a new token for a component, which ends the former one at once. */
  public ComponentToken rotateComponentToken(String installId) {
    return transport.json(
        at(Call.post()).segment(installId).segment("token"), ComponentToken.class);
  }

  private Call at(Call call) {
    return call.segment("api")
        .segment("repos")
        .segment(organization)
        .segment(repository)
        .segment("components");
  }
}
