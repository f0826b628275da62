package dev.cairn.mcp;

import static dev.cairn.access.Permission.REPO_CONFIGURE;

import dev.cairn.access.Authorizer;
import dev.cairn.access.CurrentCaller;
import dev.cairn.mcp.Tool.Effect;
import dev.cairn.subscription.CredentialChange;
import dev.cairn.subscription.CredentialOwner;
import dev.cairn.subscription.ManagedCredentials;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Tools for credential sets; {@code docs/credentials.md}. */
@ApplicationScoped
class CredentialTools implements ToolSource {
  private static final String CATEGORY = "Credential sets";

  private final CurrentCaller caller;
  private final Authorizer authorizer;
  private final ManagedCredentials credentials;

  CredentialTools(CurrentCaller caller, Authorizer authorizer, ManagedCredentials credentials) {
    this.caller = caller;
    this.authorizer = authorizer;
    this.credentials = credentials;
  }

  @Override
  public int order() {
    return 10;
  }

  @Override
  public Optional<Toolset> toolset() {
    return Optional.of(Toolset.SUBSCRIPTION);
  }

  @Override
  public List<Tool> tools() {
    return List.of(
        Tool.ofRoute("credential_set_list", "List credential sets")
            .describedAs(
                "The credential sets that subscriptions can be bound to, without their values.")
            .handledBy(CATEGORY, call -> credentials.list(owner(call))),
        Tool.ofRoute("credential_set_put", "Create or change a credential set")
            .withEffect(Effect.SETS)
            .describedAs(
                """
                Sets the given keys; other keys stay. Keys that affect webhooks:
                WEBHOOK_SIGNING_SECRET (whsec_…, two separated by a space while one is replaced),
                WEBHOOK_BEARER_TOKEN, WEBHOOK_API_KEY with WEBHOOK_API_KEY_HEADER,
                WEBHOOK_BASIC_USERNAME with WEBHOOK_BASIC_PASSWORD. Not with an OAuth token, which only
                changes the description. Next: subscription_bind.
                """)
            .handledBy(CATEGORY, this::put),
        Tool.ofRoute("credential_set_delete", "Delete a credential set")
            .deleting("name")
            .describedAs(
                "Deletes it with its values; what is bound to it uses the organization's, or stops.")
            .handledBy(CATEGORY, this::delete),
        Tool.ofRoute("credential_set_revoke", "Revoke a credential set")
            .deleting("name")
            .describedAs("Ends its use permanently; it stays in the list.")
            .handledBy(CATEGORY, call -> credentials.revoke(owner(call), call.required("name"))));
  }

  private Object put(ToolCall call) {
    var owner = owner(call);
    return credentials.put(
        owner, call.required("name"), () -> CredentialChange.of(call.object("name")));
  }

  private Object delete(ToolCall call) {
    credentials.delete(owner(call), call.required("name"));
    return Map.of("ok", true);
  }

  private CredentialOwner owner(ToolCall call) {
    return new CredentialOwner.OfRepository(
        authorizer
            .repository(caller.get(), call.org(), call.repo(), REPO_CONFIGURE)
            .requireUnrestricted());
  }
}
