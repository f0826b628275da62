package dev.cairn.component;

import dev.cairn.access.RepositoryAccess;
import dev.cairn.access.limit.ReadBounds;
import dev.cairn.access.token.ServiceTokens;
import dev.cairn.component.InstallPlan.Item;
import dev.cairn.component.InstallPlan.Refusal;
import dev.cairn.model.Problem;
import dev.cairn.model.Wref;
import dev.cairn.subscription.InstalledCredentials;
import dev.cairn.subscription.InstalledSubscriptions;
import dev.cairn.subscription.InstalledSubscriptions.Owned;
import dev.cairn.subscription.InstalledSubscriptions.State;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * Plans installations: what is made, changed and left, and everything that is in the way. See
 * {@code docs/components.md}, Installing.
 */
@ApplicationScoped
class InstallPlans {
  private final InstallContent content;
  private final InstalledCredentials credentials;
  private final InstalledSubscriptions subscriptions;
  private final ServiceTokens tokens;
  private final ReadBounds bounds;
  private final ComponentInstalls installs;
  private final Components components;
  private final ServerAddress address;

  InstallPlans(
      InstallContent content,
      InstalledCredentials credentials,
      InstalledSubscriptions subscriptions,
      ServiceTokens tokens,
      ReadBounds bounds,
      ComponentInstalls installs,
      Components components,
      ServerAddress address) {
    this.content = content;
    this.credentials = credentials;
    this.subscriptions = subscriptions;
    this.tokens = tokens;
    this.bounds = bounds;
    this.installs = installs;
    this.components = components;
    this.address = address;
  }

  /**
   * The plan of an installation.
   *
   * @param access granted for what the component needs
   * @throws Problem {@code RATE_LIMITED} if the quota of subscriptions has no room for all, {@code
   *     CONFLICT} if there would be too many credential sets, and as a commit for reasons outside
   *     of the content, such as {@code ARCHIVED}
   */
  InstallPlan of(RepositoryAccess access, Registered component, UUID installId) {
    var ofContent = content.plan(access, component, installId);
    var items = new ArrayList<>(ofContent.items());
    var refusals = new ArrayList<>(ofContent.refusals());
    var manifest = component.version().manifest();
    bounds.within(
        access,
        () -> {
          planCredentials(access, manifest, installId, items, refusals);
          planSubscriptions(access, manifest, installId, items, refusals);
          addressOfOther(access, component, installId).ifPresent(refusals::add);
          if (mintsToken(component)) {
            var action =
                mintsToken(access, component, installId) ? InstallPlan.CREATE : InstallPlan.LEAVE;
            items.add(new Item(InstallPlan.TOKEN, component.name(), action));
          }
          return true;
        });
    checkTargets(access, manifest, items, refusals);
    items.addAll(bounds.within(access, () -> leftOver(access, manifest, installId)));
    return new InstallPlan(items, refusals);
  }

  /** What belongs to the component, but is not in its manifest: an earlier version made it. */
  private List<Item> leftOver(RepositoryAccess access, Manifest manifest, UUID installId) {
    var items = new ArrayList<Item>();
    content
        .findRecord(access, installId)
        .ifPresent(
            record -> {
              var names = new LinkedHashSet<>(record.shapes());
              InstallContent.shapes(manifest).forEach(shape -> names.remove(shape.local()));
              names.forEach(
                  name ->
                      items.add(
                          new Item(InstallPlan.SHAPE, Wref.parse(name).name(), InstallPlan.LEAVE)));
            });
    credentials.of(access, installId).stream()
        .filter(name -> !manifest.hasCredential(name))
        .forEach(name -> items.add(new Item(InstallPlan.CREDENTIAL_SET, name, InstallPlan.LEAVE)));
    subscriptions.of(access, installId).stream()
        .map(Owned::name)
        .filter(name -> !manifest.hasSubscription(name))
        .forEach(name -> items.add(new Item(InstallPlan.SUBSCRIPTION, name, InstallPlan.LEAVE)));
    return items;
  }

  /**
   * Whether an installation by the caller mints a token. The token lasts a year, so minting it
   * requires the same sign-in as creating a personal access token: otherwise a stolen token could
   * be turned into one that lasts a year.
   */
  boolean mintsToken(RepositoryAccess access, Registered component, UUID installId) {
    return mintsToken(component)
        && access.account().mayMakeTokens(Instant.now())
        && tokens.liveRuntimeToken(access.repoId(), installId).isEmpty();
  }

  /** Whether the installation of a component mints a token, if it has none. */
  static boolean mintsToken(Registered component) {
    return component.mintsToken() && !component.version().manifest().runtimeAccess().isEmpty();
  }

  /**
   * Components of the same name share an address. An account that installs a component has not
   * agreed that its calls go to the address of another organization's component, or those of that
   * one to the address of this one. One that is being installed may still write an address.
   */
  private Optional<Refusal> addressOfOther(
      RepositoryAccess access, Registered component, UUID installId) {
    var repoId = access.repoId();
    var manifest = component.version().manifest();
    var namesakes = installs.namesakes(repoId, component);
    if (namesakes.isEmpty()) {
      return Optional.empty();
    }
    boolean isUnset = address.isUnset(repoId, component.name());
    boolean beginsCalls = makesCalls(manifest) && !madeCalls(access, installId);
    boolean takesAddress =
        beginsCalls && !isUnset && address.differsFromSeed(repoId, manifest, component.name());
    boolean givesAddress =
        isUnset
            && ServerAddress.ofSeed(manifest, component.name()).isPresent()
            && namesakes.stream()
                .anyMatch(other -> other.state() != ComponentInstalls.State.TORN_DOWN);
    if (takesAddress || givesAddress) {
      return Optional.of(
          addressOfOther(
              component,
              "A component of the same name from another organization is or was installed here, and calls of both go to the `cliBaseUrl` of `%1$s`; tear that one down and rename `%1$s` first."));
    }
    boolean mayTakeAddress = beginsCalls && isUnset && namesakes.stream().anyMatch(this::maySeed);
    return mayTakeAddress
        ? Optional.of(
            addressOfOther(
                component,
                "A component of the same name from another organization is being installed here, and may still set the `cliBaseUrl` of `%s`, where calls of both go; tear that one down first."))
        : Optional.empty();
  }

  private static Refusal addressOfOther(Registered component, String detail) {
    var config = ServerAddress.config(component.name()).local();
    return new Refusal(InstallPlan.SEED, config, "address_of_other", detail.formatted(config));
  }

  /** Whether an installation that is under way writes an address, if there is none. */
  private boolean maySeed(ComponentInstalls.Install other) {
    return other.state() == ComponentInstalls.State.INSTALLING
        && components
            .at(other.componentId(), other.number())
            .flatMap(begun -> ServerAddress.ofSeed(begun.version().manifest(), begun.name()))
            .isPresent();
  }

  /**
   * Refuses what the plan refuses of the address once more, since another installation may have
   * begun after the plan. The caller holds {@link ComponentInstalls#lockAll}, and has not begun.
   *
   * @throws Problem {@code CONFLICT}
   */
  void requireOwnAddress(RepositoryAccess access, Registered component, UUID installId) {
    addressOfOther(access, component, installId)
        .ifPresent(
            refusal -> new InstallPlan(List.of(), List.of(refusal)).requireInstallable(true));
  }

  /** Whether the version that is installed makes calls: then its address is not new to it. */
  private boolean madeCalls(RepositoryAccess access, UUID installId) {
    boolean hasRecord =
        content
            .findRecord(access, installId)
            .filter(InstallContent.InstallRecord::isActive)
            .isPresent();
    return hasRecord
        && installs
            .find(access.repoId(), installId)
            .filter(install -> install.state() != ComponentInstalls.State.TORN_DOWN)
            .flatMap(install -> components.at(install.componentId(), install.number()))
            .filter(installed -> makesCalls(installed.version().manifest()))
            .isPresent();
  }

  private static boolean makesCalls(Manifest manifest) {
    return !manifest.cli().methods().isEmpty()
        || manifest.health().requires().stream().anyMatch(required -> required.path() != null);
  }

  private void planCredentials(
      RepositoryAccess access,
      Manifest manifest,
      UUID installId,
      List<Item> items,
      List<Refusal> refusals) {
    int missing = 0;
    for (var credential : manifest.credentials()) {
      var name = credential.name();
      var stored = credentials.find(access, name);
      if (stored.isEmpty() && credentials.isBoundElsewhere(access, installId, name)) {
        refusals.add(
            new Refusal(
                InstallPlan.CREDENTIAL_SET,
                name,
                "name_bound",
                InstalledCredentials.whyBound(name)));
      } else if (stored.isEmpty()) {
        missing++;
        items.add(new Item(InstallPlan.CREDENTIAL_SET, name, InstallPlan.CREATE));
      } else if (!installId.equals(stored.get().installId())) {
        refusals.add(
            new Refusal(
                InstallPlan.CREDENTIAL_SET,
                name,
                "name_taken",
                "There is a credential set `%s` already, which does not belong to the component."
                    .formatted(name)));
      } else if (stored.get().isRevoked()) {
        refusals.add(
            new Refusal(
                InstallPlan.CREDENTIAL_SET,
                name,
                "revoked",
                "The credential set `%s` is revoked; delete it first.".formatted(name)));
      } else {
        items.add(new Item(InstallPlan.CREDENTIAL_SET, name, InstallPlan.LEAVE));
      }
    }
    credentials.refuseMore(access, missing);
  }

  private void planSubscriptions(
      RepositoryAccess access,
      Manifest manifest,
      UUID installId,
      List<Item> items,
      List<Refusal> refusals) {
    int missing = 0;
    for (var body : manifest.subscriptions()) {
      var name = body.path("name").textValue();
      var state = subscriptions.compare(access, installId, body);
      var fault =
          state == State.EQUAL
              ? Optional.<String>empty()
              : subscriptions.fault(access, body, manifest.shapeNames());
      if (fault.isPresent()) {
        refusals.add(
            new Refusal(
                InstallPlan.SUBSCRIPTION,
                name,
                "refused",
                "Subscription `%s`: %s".formatted(name, fault.get())));
        continue;
      }
      switch (state) {
        case MISSING -> {
          missing++;
          items.add(new Item(InstallPlan.SUBSCRIPTION, name, InstallPlan.CREATE));
        }
        case PAUSED, DIFFERENT ->
            items.add(new Item(InstallPlan.SUBSCRIPTION, name, InstallPlan.CHANGE));
        case EQUAL -> items.add(new Item(InstallPlan.SUBSCRIPTION, name, InstallPlan.LEAVE));
        case TAKEN ->
            refusals.add(
                new Refusal(
                    InstallPlan.SUBSCRIPTION,
                    name,
                    "name_taken",
                    "There is a subscription `%s` already, which does not belong to the component."
                        .formatted(name)));
        case FIXED ->
            refusals.add(
                new Refusal(
                    InstallPlan.SUBSCRIPTION,
                    name,
                    "cannot_be_changed",
                    "The kind and the `tokenScopes` of the subscription `%s` cannot be changed;"
                            .formatted(name)
                        + " delete it first."));
      }
    }
    subscriptions.refuseMore(access, missing);
  }

  /** Without a connection to the database: it may resolve names. */
  private void checkTargets(
      RepositoryAccess access, Manifest manifest, List<Item> items, List<Refusal> refusals) {
    for (var body : manifest.subscriptions()) {
      var name = body.path("name").textValue();
      boolean isWritten =
          items.stream()
              .anyMatch(
                  item ->
                      item.kind().equals(InstallPlan.SUBSCRIPTION)
                          && item.name().equals(name)
                          && !item.action().equals(InstallPlan.LEAVE));
      if (isWritten) {
        try {
          subscriptions.checkTarget(access, body);
        } catch (Problem e) {
          refusals.add(
              new Refusal(
                  InstallPlan.SUBSCRIPTION,
                  name,
                  "target_forbidden",
                  "Subscription `%s`: %s".formatted(name, e.detail())));
        }
      }
    }
  }
}
