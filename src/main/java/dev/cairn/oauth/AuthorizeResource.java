package dev.cairn.oauth;

import com.nimbusds.oauth2.sdk.OAuth2Error;
import dev.cairn.model.Problem;
import io.smallrye.common.annotation.RunOnVirtualThread;
import io.vertx.core.http.HttpServerRequest;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.io.InputStream;
import java.net.URI;
import java.time.Instant;
import java.util.LinkedHashMap;
import org.jboss.resteasy.reactive.server.ServerExceptionMapper;

/**
 * The authorization endpoint: sends a browser without a session to sign in, and shows the consent
 * page.
 */
@BuiltIn
@Path(AuthorizeResource.PATH)
@RunOnVirtualThread
@Produces(Pages.HTML)
public class AuthorizeResource {
  static final String PATH = "/oauth/authorize";

  private final Browsers browsers;
  private final Clients clients;
  private final BrowserSessions sessions;
  private final Codes codes;
  private final Pages pages;

  AuthorizeResource(
      Browsers browsers, Clients clients, BrowserSessions sessions, Codes codes, Pages pages) {
    this.browsers = browsers;
    this.clients = clients;
    this.sessions = sessions;
    this.codes = codes;
    this.pages = pages;
  }

  /**
   * Asks for consent, after a sign-in. An error is shown as a page, and reported only to
   * {@linkplain Client#isOwn Cairn's own client}: any other client could have registered itself so
   * that its invalid request sends people to its redirect URI, an open redirect (RFC 9700, section
   * 4.11.2).
   */
  @GET
  public Response authorize(@Context HttpServerRequest request) {
    var browser = browsers.of(request);
    var parameters = Parameters.ofQuery(request);
    var replyTo = replyTo(parameters, browser);
    var session = sessions.of(browser);
    try {
      var authorization = AuthorizeRequest.of(replyTo, parameters);
      return session
          .map(s -> consent(authorization, parameters, s, browser))
          .orElseGet(() -> signIn(parameters, browser));
    } catch (OAuthError e) {
      return session.isPresent() ? faulty(replyTo, e) : pages.refusal(e);
    }
  }

  /**
   * Takes the person's decision; or a request that was sent as a form, and redirects it to a query.
   */
  @POST
  @Consumes(MediaType.APPLICATION_FORM_URLENCODED)
  public Response decide(InputStream body, @Context HttpServerRequest request) {
    var browser = browsers.of(request);
    var form = Parameters.ofBody(body);
    var decision = form.text("decision");
    if (decision.isEmpty()) {
      return Pages.seeOther(here(form, browser)).build();
    }
    var session = sessions.of(browser);
    if (session.isEmpty()) {
      return signIn(form, browser);
    }
    if (!browser.hasSent(form, Browser.SESSION)) {
      throw SignInResource.forged();
    }
    var replyTo = replyTo(form, browser);
    try {
      var authorization = AuthorizeRequest.of(replyTo, form);
      if (!decision.get().equals("allow")) {
        return found(replyTo.error(OAuth2Error.ACCESS_DENIED));
      }
      return codes
          .issue(authorization, session.get(), browser.address(), Instant.now())
          .map(code -> found(replyTo.code(code)))
          .orElseGet(() -> signIn(form, browser));
    } catch (OAuthError e) {
      return faulty(replyTo, e);
    }
  }

  private Response faulty(AuthorizeRequest.ReplyTo replyTo, OAuthError error) {
    return replyTo.client().isOwn() ? found(replyTo.error(error.error())) : pages.refusal(error);
  }

  /** The page for a request that cannot be answered at the client. */
  @ServerExceptionMapper
  public Response refused(OAuthError e) {
    return pages.refusal(e);
  }

  /** The page for a rate limit, or for a body that is too large. */
  @ServerExceptionMapper
  public Response refused(Problem problem) {
    return pages.refusal(problem);
  }

  private AuthorizeRequest.ReplyTo replyTo(Parameters parameters, Browser browser) {
    var id =
        parameters
            .text("client_id")
            .orElseThrow(() -> OAuthError.invalidRequest("The client_id is missing."));
    return AuthorizeRequest.ReplyTo.of(
        parameters, clients.get(id, browser.address()), browser.base());
  }

  private Response consent(
      AuthorizeRequest authorization,
      Parameters parameters,
      BrowserSessions.BrowserSession session,
      Browser browser) {
    var fields = new LinkedHashMap<String, String>();
    parameters
        .only(AuthorizeRequest.PARAMETERS)
        .values()
        .forEach((name, all) -> fields.put(name, all.getFirst()));
    var token = Browser.token(session.secret());
    return pages.consent(
        new ConsentForm(
            browser.path(PATH),
            token,
            authorization.client().name(),
            authorization.client().provenance(),
            destination(authorization.redirectUri()),
            null,
            authorization.grantScope().inWords(),
            fields,
            SignInResource.signOut(session, here(parameters, browser), browser)),
        authorization.redirectUri());
  }

  private static String destination(URI uri) {
    if (RedirectUris.isLoopback(uri)) {
      return "A program on this computer (" + uri.getRawAuthority() + ")";
    }
    return "https".equals(uri.getScheme())
        ? uri.getRawAuthority()
        : "The program on this device that opens links beginning with " + uri.getScheme() + ":";
  }

  private Response signIn(Parameters parameters, Browser browser) {
    return Pages.seeOther(SignInResource.url(here(parameters, browser), browser)).build();
  }

  private static String here(Parameters parameters, Browser browser) {
    return browser.path(PATH) + "?" + parameters.only(AuthorizeRequest.PARAMETERS).query();
  }

  private static Response found(URI url) {
    return Pages.seeOther(url.toString()).build();
  }
}
