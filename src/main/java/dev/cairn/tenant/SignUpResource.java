package dev.cairn.tenant;

import dev.cairn.access.authentication.Accounts;
import dev.cairn.access.authentication.ExternalIssuer;
import dev.cairn.model.Problem;
import dev.cairn.platform.http.ClientAddress;
import dev.cairn.platform.http.QueryParameters;
import dev.cairn.platform.http.RequestBody;
import io.quarkus.runtime.annotations.RegisterForReflection;
import io.smallrye.common.annotation.RunOnVirtualThread;
import io.vertx.core.http.HttpServerRequest;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.UriInfo;
import java.io.InputStream;

/** Sign-up, if it is open. */
@Path("/api/auth/signup")
@RunOnVirtualThread
@Consumes(MediaType.APPLICATION_JSON)
@Produces(MediaType.APPLICATION_JSON)
public class SignUpResource {
  private static final int MAX_DISPLAY_NAME = 200;

  private final Accounts accounts;
  private final SignUp signUp;
  private final ExternalIssuer issuer;
  private final ClientAddress addresses;

  /** Body of the sign-up. */
  @RegisterForReflection
  record NewAccount(String email, String password, String displayName) {}

  /** The account that was made. */
  @RegisterForReflection
  record AccountView(String email, String displayName) {}

  SignUpResource(Accounts accounts, SignUp signUp, ExternalIssuer issuer, ClientAddress addresses) {
    this.accounts = accounts;
    this.signUp = signUp;
    this.issuer = issuer;
    this.addresses = addresses;
  }

  /** Makes an account with a personal organization. */
  @POST
  public Response create(
      InputStream body, @Context UriInfo uri, @Context HttpServerRequest request) {
    issuer.refuseBuiltIn();
    var address = addresses.of(request);
    accounts.admitSignUp(address);
    QueryParameters.none(uri);
    var account = RequestBody.read(body, NewAccount.class);
    var email = RequestBody.required("/email", account.email());
    var password = RequestBody.required("/password", account.password());
    checkDisplayName(account.displayName());
    var created = signUp.create(email, account.displayName(), password, address);
    return Response.status(Response.Status.CREATED)
        .entity(new AccountView(created.email, created.displayName))
        .build();
  }

  /** It becomes the author of commits, which is never empty, and stands on one line. */
  private static void checkDisplayName(String name) {
    Organizations.text("/displayName", name, MAX_DISPLAY_NAME);
    if (name != null && (name.isBlank() || name.chars().anyMatch(Character::isISOControl))) {
      throw Problem.invalid(
          "/displayName", "`displayName` must not be empty, nor hold control characters.");
    }
  }
}
