package dev.cairn.mcp;

import static dev.cairn.access.Permission.REPO_CONFIGURE;
import static dev.cairn.mcp.Tool.optional;
import static dev.cairn.mcp.Tool.required;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.cairn.access.Authorizer;
import dev.cairn.access.CurrentCaller;
import dev.cairn.mcp.Tool.Argument;
import dev.cairn.mcp.Tool.Effect;
import dev.cairn.subscription.CredentialChange;
import dev.cairn.subscription.CredentialOwner;
import dev.cairn.subscription.ManagedCredentials;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import java.util.Map;

/** Tools for credential sets; {@code docs/credentials.md}. */
@ApplicationScoped
class CredentialTools implements ToolSource {
  private static final String CATEGORY = "Credential sets";
  private static final Argument NAME = required("name", Schema.string("The set's name"));

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
  public List<Tool> tools() {
    return List.of(
        Tool.named("credential_set_list", "List credential sets")
            .inRepository()
            .describedAs("The sets of secrets that subscriptions can be bound to; never values.")
            .gives(Schema.page(view()))
            .by(CATEGORY, call -> credentials.list(owner(call))),
        Tool.named("credential_set_put", "Make or change a credential set")
            .inRepository()
            .that(Effect.SETS)
            .describedAs(
                """
                Sets keys; those that are not named stay. Keys that act on a webhook:
                WEBHOOK_SIGNING_SECRET (whsec_…, two separated by a space while one is replaced),
                WEBHOOK_BEARER_TOKEN, WEBHOOK_API_KEY with WEBHOOK_API_KEY_HEADER,
                WEBHOOK_BASIC_USERNAME with WEBHOOK_BASIC_PASSWORD. Next: subscription_bind.
                """)
            .takes(
                NAME,
                optional("description", Schema.string("What it is for")),
                optional("keys", Schema.map("{KEY: value}; null takes a key away")))
            .gives(view())
            .by(CATEGORY, this::put),
        Tool.named("credential_set_delete", "Delete a credential set")
            .inRepository()
            .that(Effect.DESTROYS)
            .describedAs("Deletes it with its values; bound subscriptions deliver no more.")
            .takes(NAME)
            .gives(SharedSchemas.done())
            .by(CATEGORY, this::delete),
        Tool.named("credential_set_revoke", "Revoke a credential set")
            .inRepository()
            .that(Effect.DESTROYS)
            .describedAs("Ends its use for good; it stays in the list.")
            .takes(NAME)
            .gives(view())
            .by(CATEGORY, call -> credentials.revoke(owner(call), call.required("name"))));
  }

  private static ObjectNode view() {
    return Schema.object(
        "name:string", "keyNames:string[]", "updatedAt:integer", "revokedAt?:integer");
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
        authorizer.repository(caller.get(), call.org(), call.repo(), REPO_CONFIGURE).unnarrowed());
  }
}
