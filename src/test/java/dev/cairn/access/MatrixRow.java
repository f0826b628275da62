package dev.cairn.access;

import static dev.cairn.access.Permission.ORG_ADMIN;
import static dev.cairn.access.Permission.ORG_CONFIGURE;
import static dev.cairn.access.Permission.ORG_READ;
import static dev.cairn.access.Permission.REPO_ADMIN;
import static dev.cairn.access.Permission.REPO_CHECKPOINT_READ;
import static dev.cairn.access.Permission.REPO_CONFIGURE;
import static dev.cairn.access.Permission.REPO_READ;
import static dev.cairn.access.Permission.REPO_WRITE;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A request that succeeds for callers that may send it: a row of the caller matrix. Words that
 * begin with a colon stand for what {@link MatrixWorld} has; JSON stands with ' for ".
 *
 * @param endpoint method and path, as the docs write them
 * @param detail what tells this row from others of the same endpoint; empty for nothing
 * @param needs what a caller must have
 * @param path where it is sent to
 * @param body empty for none
 * @param spends whether success leaves nothing for the next caller to do it to
 */
record MatrixRow(
    String endpoint, String detail, String needs, String path, String body, boolean spends) {
  private static final String ORG = "/api/orgs/:org";
  private static final String REPO = "/api/repos/:org/:repo";
  private static final String MEMBER = ORG + "/members/:email";
  private static final String OWNER = ORG + "/members/:chief";

  private static final String READS_OR_CONFIGURES = "`repo:read` or `repo:configure`";
  private static final String CALLS_BACK = "`repo:action-callback` or `org:action-callback`";
  private static final String SUB = REPO + "/subs/:name";
  private static final String SET = "/credential-sets/:name";
  private static final String REGISTRY = "/api/component-registry/:org";
  private static final String COMPONENT = REGISTRY + "/:name";
  private static final String INSTALL = REPO + "/components/:installId";
  private static final String INSTALLED = REPO + "/components/:installed";
  private static final String EITHER = "`repo:write` or `repo:configure`";
  private static final String READS_AND_EITHER = "`repo:read`, and " + EITHER;
  private static final String READS_AND_CONFIGURES = "`repo:read` and `repo:configure`";
  private static final String WEBHOOK =
      "{'name':':unique','kind':'webhook','shapeName':'Note','filterJson':{},"
          + "'webhookUrl':'http://127.0.0.1:9/'}";

  private static final String AUTHORIZE =
      "/oauth/authorize?response_type=code&client_id=cairn-cli&code_challenge_method=S256"
          + "&redirect_uri=http%3A%2F%2F127.0.0.1%3A5555%2Fcallback"
          + "&code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";

  /** Rows that are about no organization. */
  static final List<MatrixRow> ALONE =
      List.of(
          row("POST /api/auth/login", "").body("{'email':':login','password':':password'}"),
          row("POST /api/auth/refresh", "").body("{'refreshToken':':refreshToken'}"),
          row("POST /api/auth/logout", "").body("{'refreshToken':'none'}"),
          row("POST /api/auth/signup", "sign-up to be open")
              .body("{'email':':unique@example.org','password':':password'}"),
          row("POST /api/auth/password", "a sign-in")
              .body("{'currentPassword':':password','newPassword':':password'}"),
          row("GET /.well-known/jwks.json", ""),
          row("POST /internal/tick", "the operator's token"),
          row("GET /api/whoami", ""),
          row("GET /api/orgs", "an account"),
          row("POST /api/orgs", "an account, no scopes").body("{'name':':unique'}"),
          row("GET /api/pats", "a sign-in"),
          row("POST /api/pats", "a sign-in").body("{'name':':unique'}"),
          row("DELETE /api/pats/:name", "a sign-in").path("/api/pats/spare"),
          row("GET /api/sessions", "a sign-in"),
          row("DELETE /api/sessions", "a sign-in"),
          row("DELETE /api/sessions/:id", "a sign-in")
              .detail("of another account")
              .path("/api/sessions/01932f6e-5d0a-7c3e-8f00-000000000000"),
          row("GET /api/audit", "a sign-in"),
          row("GET /component.schema.json", ""),
          row("GET /.well-known/oauth-authorization-server", ""),
          row("GET /.well-known/oauth-protected-resource", ""),
          row("GET /.well-known/oauth-protected-resource/mcp", ""),
          row("GET /mcp/.well-known/oauth-protected-resource", ""),
          row("GET /oauth/authorize", "a browser's session").path(AUTHORIZE),
          row("POST /oauth/authorize", "a browser's session").body("decision=allow"),
          row("GET /oauth/sign-in", ""),
          row("POST /oauth/sign-in", "the form's token").body("email=:login&password=:password"),
          row("POST /oauth/sign-out", "the form's token").body("csrf=none"),
          row("GET /device", "a browser's session"),
          row("POST /device", "a browser's session").body("user_code=BCDF-GHJK"),
          row("POST /oauth/device_authorization", "").body("client_id=cairn-cli"),
          row("POST /oauth/token", "a code or refresh token")
              .body("grant_type=refresh_token&client_id=cairn-cli&refresh_token=none"),
          row("POST /oauth/revoke", "").body("client_id=cairn-cli&token=none"),
          row("GET /api/exports/:exportId/content", "the link").path(":download"),
          row("GET /sse", "a ticket").path("/sse?ticket=none"),
          row("POST /oauth/register", "")
              .body("{'client_name':'C','redirect_uris':['https://c.example/callback']}"));

  /** Rows that are about an organization or a repository in it. */
  static final List<MatrixRow> WITHIN =
      List.of(
          row("GET " + ORG, ORG_READ),
          row("PATCH " + ORG, ORG_CONFIGURE).detail("`displayName`").body("{'displayName':'D'}"),
          row("PATCH " + ORG, ORG_CONFIGURE).detail("`description`").body("{'description':'D'}"),
          row("PATCH " + ORG, ORG_ADMIN).detail("`name`").body("{'name':':unique'}").spending(),
          row("PATCH " + ORG, ORG_ADMIN).detail("`archived`").body("{'archived':true}").spending(),
          row("GET " + ORG + "/audit", ORG_ADMIN),
          row("GET " + ORG + "/members", ORG_READ),
          row("PUT " + MEMBER, ORG_CONFIGURE).body("{'role':'editor'}"),
          row("PUT " + MEMBER, ORG_CONFIGURE, ORG_ADMIN)
              .detail("to owner")
              .body("{'role':'owner'}")
              .spending(),
          row("PUT " + MEMBER, ORG_CONFIGURE, ORG_ADMIN)
              .detail("from owner")
              .path(OWNER)
              .body("{'role':'editor'}")
              .spending(),
          row("DELETE " + MEMBER, ORG_CONFIGURE).spending(),
          row("DELETE " + MEMBER, ORG_CONFIGURE, ORG_ADMIN)
              .detail("of an owner")
              .path(OWNER)
              .spending(),
          row("GET " + ORG + "/repos", ORG_READ),
          row("POST " + ORG + "/repos", ORG_CONFIGURE).body("{'name':':unique'}"),
          row("GET " + REPO, REPO_READ),
          row("PATCH " + REPO, REPO_CONFIGURE).detail("`description`").body("{'description':'D'}"),
          row("PATCH " + REPO, REPO_CONFIGURE)
              .detail("`settings`")
              .body("{'settings':{'streams':{'enabled':true}}}"),
          row("PATCH " + REPO, READS_AND_CONFIGURES)
              .detail("`settings.notifications`")
              .body("{'settings':{'notifications':{'webhookUrl':'http://127.0.0.1:9/'}}}"),
          row("PATCH " + REPO, REPO_ADMIN).detail("`name`").body("{'name':':unique'}").spending(),
          row("PATCH " + REPO, REPO_ADMIN)
              .detail("`visibility`")
              .body("{'visibility':':opposite'}")
              .spending(),
          row("PATCH " + REPO, REPO_ADMIN)
              .detail("`archived`")
              .body("{'archived':true}")
              .spending(),
          row("DELETE " + REPO, REPO_ADMIN).spending(),
          row("POST " + REPO + "/commits", REPO_WRITE)
              .body("{'operations':[{'operation':'add','name':'Note/:unique','data':{}}]}"),
          row("POST " + REPO + "/streams/:streamId/submissions", REPO_WRITE)
              .path(REPO + "/streams/s/submissions")
              .body("{'operation':'add','name':'Note/:unique','data':{}}"),
          row("GET " + REPO + "/commits", REPO_READ),
          row("GET " + REPO + "/commits/:commitId", REPO_READ),
          row("GET " + REPO + "/verification", REPO_WRITE),
          row("GET " + REPO + "/actions/runs", READS_OR_CONFIGURES),
          row("GET " + REPO + "/actions/runs/:runId/attempts", READS_OR_CONFIGURES),
          row(
                  "GET " + REPO + "/actions/subs/:subName/commits/:commitId/attempts",
                  READS_OR_CONFIGURES)
              .path(REPO + "/actions/subs/runs/commits/:commitId/attempts"),
          row("GET " + REPO + "/actions/notifications", READS_OR_CONFIGURES),
          row("POST " + REPO + "/actions/runs/:runId/retry", REPO_CONFIGURE)
              .path(REPO + "/actions/runs/:failedRun/retry"),
          row("POST " + REPO + "/subs/:name/recover", REPO_CONFIGURE)
              .path(REPO + "/subs/runs/recover")
              .body("{'since':0}"),
          row("POST /api/action-runs/:runId/callback", CALLS_BACK).body("{'status':'progress'}"),
          row("GET " + REPO + "/diff", REPO_READ).path(REPO + "/diff?from=0"),
          row("GET " + REPO + "/describe", REPO_READ),
          row("GET /:org/:repo/readme.md", REPO_READ),
          row("GET /:org/:repo/agents.md", REPO_READ),
          row("GET /:org/:repo/llms.txt", REPO_READ),
          row("POST " + REPO + "/live/tickets", REPO_READ),
          row("GET " + REPO + "/head", REPO_READ),
          row("GET " + REPO + "/query", REPO_READ),
          row("GET " + REPO + "/count", REPO_READ),
          row("GET " + REPO + "/things/:wref", REPO_READ),
          row("POST " + REPO + "/things/batch", REPO_READ).body("{'wrefs':['Note/a']}"),
          row("GET " + REPO + "/about/:wref", REPO_READ),
          row("GET " + REPO + "/about", REPO_READ).path(REPO + "/about?wref=Sensor/a"),
          row("GET " + REPO + "/history", REPO_READ).path(REPO + "/history?wref=:wref"),
          row("GET " + REPO + "/refs/:wref", REPO_READ),
          row("GET " + REPO + "/search", REPO_READ).path(REPO + "/search?q=note"),
          row("GET " + REPO + "/resolve/:wref", REPO_READ),
          row("GET " + REPO + "/export", REPO_READ, REPO_CHECKPOINT_READ),
          row("GET " + REPO + "/export", REPO_READ, REPO_CHECKPOINT_READ)
              .detail("`token`")
              .path(REPO + "/export?token=:exportToken"),
          row("GET " + REPO + "/export", REPO_READ, REPO_CHECKPOINT_READ)
              .detail("`prefer`")
              .path(REPO + "/export?prefer=async")
              .spending(),
          row("GET " + REPO + "/shapes", REPO_READ),
          row("GET " + REPO + "/shapes/:name", REPO_READ).path(REPO + "/shapes/Note"),
          row("GET " + REPO + "/subs", REPO_READ),
          row("GET " + SUB, REPO_READ).path(REPO + "/subs/watch"),
          row("POST " + REPO + "/subs", READS_AND_EITHER).body(WEBHOOK),
          row("PATCH " + SUB, READS_AND_EITHER).path(REPO + "/subs/watch").body("{}"),
          row("POST " + SUB + "/pause", EITHER).path(REPO + "/subs/watch/pause"),
          row("POST " + SUB + "/resume", READS_AND_EITHER).path(REPO + "/subs/watch/resume"),
          row("POST " + SUB + "/bind", READS_AND_CONFIGURES)
              .path(REPO + "/subs/watch/bind")
              .body("{'credentialSetName':'keys'}"),
          row("DELETE " + SUB + "/bind", READS_AND_CONFIGURES).path(REPO + "/subs/watch/bind"),
          row("DELETE " + SUB, EITHER).path(REPO + "/subs/watch").spending(),
          row("GET " + REPO + "/credential-sets", REPO_CONFIGURE),
          row("GET " + REPO + SET, REPO_CONFIGURE).path(REPO + "/credential-sets/keys"),
          row("PUT " + REPO + SET, REPO_CONFIGURE)
              .path(REPO + "/credential-sets/keys")
              .body("{'keys':{'A':'b'}}"),
          row("POST " + REPO + SET + "/revoke", REPO_CONFIGURE)
              .path(REPO + "/credential-sets/old/revoke"),
          row("DELETE " + REPO + SET, REPO_CONFIGURE)
              .path(REPO + "/credential-sets/old")
              .spending(),
          row("GET " + ORG + "/credential-sets", ORG_CONFIGURE),
          row("GET " + ORG + SET, ORG_CONFIGURE).path(ORG + "/credential-sets/keys"),
          row("PUT " + ORG + SET, ORG_CONFIGURE)
              .path(ORG + "/credential-sets/keys")
              .body("{'keys':{'A':'b'}}"),
          row("POST " + ORG + SET + "/revoke", ORG_CONFIGURE)
              .path(ORG + "/credential-sets/old/revoke"),
          row("DELETE " + ORG + SET, ORG_CONFIGURE).path(ORG + "/credential-sets/old").spending(),
          row("GET " + REGISTRY, ORG_READ),
          row("GET " + COMPONENT, ORG_READ).path(REGISTRY + "/tool"),
          row("PUT " + COMPONENT, ORG_CONFIGURE)
              .path(REGISTRY + "/tool")
              .body("{'manifest':{'component':{'id':'tool','name':'T','version':'1.0.0'}}}"),
          row("POST " + COMPONENT + "/resolve", ORG_READ, REPO_WRITE)
              .path(REGISTRY + "/tool/resolve")
              .body("{'installRepo':':org/:repo'}"),
          row("POST " + COMPONENT + "/setup-call", ORG_READ, REPO_WRITE)
              .path(REGISTRY + "/tool/setup-call")
              .body(
                  "{'installRepo':':org/:repo','installId':':installId',"
                      + "'expectedManifestHash':':manifestHash'}"),
          row("POST " + COMPONENT + "/cli/:method", ORG_READ, REPO_READ)
              .path(REGISTRY + "/called/cli/find")
              .body("{'installRepo':':org/:repo'}"),
          row("POST " + COMPONENT + "/cli/:method", ORG_READ, REPO_READ, REPO_WRITE)
              .detail("that requires `repo:write`")
              .path(REGISTRY + "/called/cli/change")
              .body("{'installRepo':':org/:repo'}"),
          row("GET " + REPO + "/components", REPO_READ),
          row("POST " + REPO + "/components", ORG_READ, REPO_READ, REPO_WRITE, REPO_CONFIGURE)
              .body("{'component':':org/minting'}"),
          row("POST " + INSTALL + "/doctor", REPO_READ, REPO_CONFIGURE).path(INSTALLED + "/doctor"),
          row(
                  "POST " + INSTALL + "/token",
                  "a sign-in, `repo:read`, `repo:write` and `repo:configure`")
              .path(INSTALLED + "/token"),
          row("POST " + INSTALL + "/teardown", REPO_READ, REPO_WRITE, REPO_CONFIGURE)
              .path(INSTALLED + "/teardown")
              .body("{}")
              .spending(),
          row("DELETE " + COMPONENT, ORG_CONFIGURE).path(REGISTRY + "/tool").spending());

  private static MatrixRow row(String endpoint, String needs) {
    var path = endpoint.substring(endpoint.indexOf(' ') + 1);
    return new MatrixRow(endpoint, "", needs, path, "", false);
  }

  /** A row that takes all of these permissions. */
  private static MatrixRow row(String endpoint, Permission... needs) {
    return row(
        endpoint,
        Arrays.stream(needs)
            .map(permission -> "`" + permission.scope() + "`")
            .collect(Collectors.joining(" and ")));
  }

  private MatrixRow detail(String which) {
    return new MatrixRow(endpoint, which, needs, path, body, spends);
  }

  private MatrixRow path(String template) {
    return new MatrixRow(endpoint, detail, needs, template, body, spends);
  }

  private MatrixRow body(String json) {
    return new MatrixRow(endpoint, detail, needs, path, json, spends);
  }

  private MatrixRow spending() {
    return new MatrixRow(endpoint, detail, needs, path, body, true);
  }

  /** How the page calls it. */
  String label() {
    return detail.isEmpty() ? "`" + endpoint + "`" : "`" + endpoint + "` " + detail;
  }

  String method() {
    return endpoint.substring(0, endpoint.indexOf(' '));
  }
}
