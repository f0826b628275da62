package dev.cairn.client;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.UUID;

/**
 * The subscriptions of a repository, {@code docs/subscriptions.md}. Where {@code ifMatch} is not
 * null, the request is only carried out upon the state with this {@code etag}, and otherwise is
 * {@code PRECONDITION_FAILED}.
 */
public final class SubscriptionsClient {
  private final Transport transport;
  private final String organization;
  private final String repository;

  SubscriptionsClient(Transport transport, String organization, String repository) {
    this.transport = transport;
    this.organization = organization;
    this.repository = repository;
  }

  /** All subscriptions by name, with a part of the fields of each. */
  public List<Subscription> listSubscriptions() {
    return transport.json(at(Call.get()), new TypeReference<>() {});
  }

  /** Creates a subscription, whose principal the caller becomes. */
  public Subscription createSubscription(NewSubscription request) {
    return create(request);
  }

  /** The same with a body that is JSON already, as {@link NewSubscription} has it. */
  public Subscription createSubscription(JsonNode request) {
    return create(request);
  }

  /** The key makes it safe to send it again if the answer is lost. */
  private Subscription create(Object request) {
    return transport.json(
        at(Call.post())
            .header("Idempotency-Key", UUID.randomUUID().toString())
            .json(request)
            .repeatable(),
        Subscription.class);
  }

  /** A subscription, with the fields that the caller may see. */
  public Subscription getSubscription(String name) {
    return transport.json(at(Call.get()).segment(name), Subscription.class);
  }

  /** Changes a subscription; what is left out stays. */
  public Subscription updateSubscription(
      String name, SubscriptionChange change, @Nullable String ifMatch) {
    return update(name, change, ifMatch);
  }

  /** The same with a body that is JSON already, as {@link SubscriptionChange} has it. */
  public Subscription updateSubscription(String name, JsonNode change, @Nullable String ifMatch) {
    return update(name, change, ifMatch);
  }

  private Subscription update(String name, Object change, @Nullable String ifMatch) {
    return transport.json(
        at(Call.patch()).segment(name).header("If-Match", ifMatch).json(change),
        Subscription.class);
  }

  /** Deletes a subscription with its binding and its schedule. */
  public void deleteSubscription(String name, @Nullable String ifMatch) {
    transport.run(at(Call.delete()).segment(name).header("If-Match", ifMatch));
  }

  /** Pauses a subscription: it creates no more runs. Pausing it again succeeds. */
  public void pauseSubscription(String name) {
    transport.run(at(Call.post()).segment(name).segment("pause").repeatable());
  }

  /** Resumes a subscription, whose principal the caller becomes. */
  public void resumeSubscription(String name, @Nullable String ifMatch) {
    transport.run(at(Call.post()).segment(name).segment("resume").header("If-Match", ifMatch));
  }

  /** Binds a credential set, whose secrets the calls then carry. */
  public Bound bindCredentials(String name, Binding binding, @Nullable String ifMatch) {
    return transport.json(
        at(Call.post()).segment(name).segment("bind").header("If-Match", ifMatch).json(binding),
        Bound.class);
  }

  /** Removes the binding of a credential set; succeeds also if none was bound. */
  public Unbound unbindCredentials(String name, @Nullable String ifMatch) {
    return transport.json(
        at(Call.delete()).segment(name).segment("bind").header("If-Match", ifMatch), Unbound.class);
  }

  private Call at(Call call) {
    return call.segment("api")
        .segment("repos")
        .segment(organization)
        .segment(repository)
        .segment("subs");
  }
}
