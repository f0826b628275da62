package dev.cairn.oauth;

import static io.restassured.RestAssured.given;

import com.nimbusds.oauth2.sdk.util.URLUtils;
import io.restassured.response.Response;
import io.restassured.specification.RequestSpecification;
import java.net.URI;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** A browser without JavaScript: keeps cookies, fills forms in, goes nowhere by itself. */
final class Web {
  private static final Pattern FORM =
      Pattern.compile("<form method=\"post\" action=\"([^\"]*)\">(.*?)</form>", Pattern.DOTALL);
  private static final Pattern HIDDEN =
      Pattern.compile("<input type=\"hidden\" name=\"([^\"]*)\" value=\"([^\"]*)\">");

  final Map<String, String> cookies = new LinkedHashMap<>();

  /** Headers that a browser, or somebody who plays one, sends with every request. */
  final Map<String, String> headers = new LinkedHashMap<>();

  /** A browser in which a new account is signed in. */
  static Web signedIn() {
    return signedIn(Flow.newAccount());
  }

  /** A browser in which this account has signed in. */
  static Web signedIn(String email) {
    var web = new Web();
    web.signIn("/oauth/sign-in", email).then().statusCode(303);
    return web;
  }

  Response get(String url) {
    return keep(request().get(url));
  }

  Response post(String url, Map<String, String> form) {
    return keep(
        request().contentType("application/x-www-form-urlencoded").body(encoded(form)).post(url));
  }

  /** Goes where the response sends the browser. */
  Response follow(Response response) {
    return get(location(response));
  }

  /** Sends the first form of a page, with what is typed into it. */
  Response submit(Response page, Map<String, String> typed) {
    var form = fields(page);
    form.putAll(typed);
    return post(action(page), form);
  }

  /** Fills the sign-in page in. */
  Response signIn(String url, String email) {
    return submit(get(url), Map.of("email", email, "password", Flow.PASSWORD));
  }

  static String location(Response response) {
    return response.then().statusCode(303).extract().header("Location");
  }

  static String action(Response page) {
    return unescaped(form(page)[0]);
  }

  /** The hidden fields of a page's first form. */
  static Map<String, String> fields(Response page) {
    var fields = new LinkedHashMap<String, String>();
    var matcher = HIDDEN.matcher(form(page)[1]);
    while (matcher.find()) {
      fields.put(unescaped(matcher.group(1)), unescaped(matcher.group(2)));
    }
    return fields;
  }

  private static String[] form(Response page) {
    var html = page.asString();
    var matcher = FORM.matcher(html);
    if (!matcher.find()) {
      throw new AssertionError(page.statusCode() + ": no form in " + html);
    }
    return new String[] {matcher.group(1), matcher.group(2)};
  }

  /** The parameters of a URL's query. */
  static Map<String, String> query(String url) {
    return URLUtils.parseParameters(URI.create(url).getRawQuery()).entrySet().stream()
        .collect(Collectors.toMap(Map.Entry::getKey, e -> e.getValue().getFirst()));
  }

  static String encoded(Map<String, String> form) {
    return URLUtils.serializeParameters(
        form.entrySet().stream()
            .collect(
                Collectors.toMap(
                    Map.Entry::getKey,
                    e -> List.of(e.getValue()),
                    (one, _) -> one,
                    LinkedHashMap::new)));
  }

  private RequestSpecification request() {
    return given()
        .urlEncodingEnabled(false)
        .redirects()
        .follow(false)
        .cookies(cookies)
        .headers(headers);
  }

  private Response keep(Response response) {
    response
        .getDetailedCookies()
        .forEach(
            cookie -> {
              if (cookie.getMaxAge() == 0) {
                cookies.remove(cookie.getName());
              } else {
                cookies.put(cookie.getName(), cookie.getValue());
              }
            });
    return response;
  }

  private static String unescaped(String html) {
    return html.replace("&#34;", "\"")
        .replace("&#39;", "'")
        .replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&amp;", "&");
  }
}
