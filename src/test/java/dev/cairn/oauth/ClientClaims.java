package dev.cairn.oauth;

import java.util.List;

/**
 * What clients say of themselves, good and bad. The same rules hold for clients that register
 * themselves and for those that have a document.
 */
final class ClientClaims {
  /** Redirect URIs that a client may have. */
  static final List<String> ALLOWED_URIS =
      List.of(
          "https://a.example",
          "https://a.example:8443/cb?x=y",
          "http://127.0.0.1/cb",
          "http://127.0.0.1:8080/cb",
          "http://[::1]/cb",
          "http://localhost:3000/",
          "com.example.app:/oauth",
          "com.example.app://oauth");

  /** Redirect URIs that no client may have. */
  static final List<String> REFUSED_URIS =
      List.of(
          "http://a.example/cb",
          "http://10.0.0.1/cb",
          "http://127.0.0.1.a.example/cb",
          "https://a.example/cb#x",
          "https://user@a.example/cb",
          "https:///cb",
          "https://a_b.example/cb",
          "javascript:alert(1)",
          "data:text/html,x",
          "vbscript:x",
          "javascript.x:alert(1)",
          "JavaScript.x:alert(1)",
          "data.x:text/html,x",
          "file.x:///etc/passwd",
          "view-source.x:y",
          "https.x://a.example/",
          "com..example:/cb",
          "com.example.:/cb",
          "file:///etc/passwd",
          "FILE:///etc/passwd",
          "JavaScript:alert(1)",
          "blob:https://a.example/x",
          "about:blank",
          "ftp://a.example/",
          "ws://localhost/",
          "intent://cb",
          "chrome-extension://abc/",
          "HTTP://a.example/cb",
          "http://127.0.0.1@a.example/cb",
          "http://localhost.a.example/cb",
          "http://user@localhost/cb",
          "http://localhost/cb#x",
          "com.example.app:/cb#x",
          "com.example.app://user@host/cb",
          "https://a.example:65536/cb",
          "myapp://cb",
          "/relative",
          "a.example/cb",
          "https://a.example/ü",
          "https://a.example/ x",
          "*",
          "https://*.example/cb");

  /** Names that people could take for Cairn's own. */
  static final List<String> OWN_NAMES =
      List.of(
          "Cairn",
          "cairn-cli",
          "CAIRN command line",
          "Official Cairn App",
          "C a i r n",
          "C.A.I.R.N",
          "C\u00e2\u00efr\u0148",
          "\u0421airn",
          "C\u0430\u0456\u0433\u043f",
          "\uff23\uff41\uff49\uff52\uff4e",
          "\u24b8\u24d0\u24d8\u24e1\u24dd",
          "\ud83c\udde8\ud83c\udde6\ud83c\uddee\ud83c\uddf7\ud83c\uddf3",
          "Ca1rn",
          "CaIRN",
          "CaLrn",
          "Ca|rn",
          "C@irn",
          "C4irn",
          "Ca\u0131rn",
          "Caim command line",
          "Ca\u034firn",
          "Ca\u3164irn",
          "Ca\uab75rn",
          "\ua4da\ua4ee\ua4f2\ua4e3\ua4e0",
          "\u13df\u13aa\u13c6\u13a1N",
          "CAI\u1587N");

  /** Names that are written to look like others. */
  static final List<String> DISGUISES =
      List.of(
          "Ex\u0430mple",
          "\u03a9mega",
          "\u13a0\u13b3\u13a9",
          "\ua4e2\ua4f2",
          "\u2c80\u2c82",
          "\ud801\udc00\ud801\udc01",
          "My\u3164App",
          "My\u115fApp",
          "My\uffa0App",
          "My\ufe0fApp",
          "Ca\u2223rn",
          "Ca\u2758rn",
          "\u20b3airn",
          "\u2201airn",
          "C\u237airn",
          "C\u2206IRN",
          "ca\u2aefrn",
          "\ua700airn",
          "C\u0363irn",
          "Ca\u0268rn",
          "\u023bairn",
          "Cai\u024dn",
          "Cai\ua783n",
          "Cai\u019en",
          "Ca\u026arn",
          "\u2184airn",
          "P\u1d00yments");

  private ClientClaims() {}
}
