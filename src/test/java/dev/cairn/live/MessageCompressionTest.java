package dev.cairn.live;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.cairn.model.ErrorCode;
import dev.cairn.model.Problem;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** docs/live.md, Live queries: the negotiation of permessage-deflate (RFC 7692, 7.1). */
class MessageCompressionTest {
  private static final String ACCEPTED =
      "permessage-deflate; server_no_context_takeover; client_no_context_takeover";

  @ParameterizedTest
  @ValueSource(
      strings = {
        "permessage-deflate",
        "Permessage-Deflate",
        " ,permessage-deflate ; server_no_context_takeover;client_no_context_takeover , ",
        "permessage-deflate; client_max_window_bits",
        "permessage-deflate; client_max_window_bits=8",
        "permessage-deflate; client_max_window_bits=15",
        "permessage-deflate; client_max_window_bits=\"10\"",
        "x-other; mode=1, permessage-deflate",
        "permessage-deflate; server_max_window_bits=10, permessage-deflate",
        "permessage-deflate; unknown, permessage-deflate; client_max_window_bits"
      })
  void the_first_offer_that_is_supported_is_accepted(String offers) {
    assertEquals(Optional.of(ACCEPTED), MessageCompression.accept(List.of(offers)));
  }

  @Test
  void a_window_of_the_service_that_is_accepted_is_in_the_answer() {
    assertEquals(
        Optional.of(ACCEPTED + "; server_max_window_bits=15"),
        MessageCompression.accept(
            List.of("permessage-deflate; server_max_window_bits=15; client_max_window_bits")));
  }

  @Test
  void offers_may_be_in_several_headers() {
    assertEquals(
        Optional.of(ACCEPTED), MessageCompression.accept(List.of("x-other", "permessage-deflate")));
    assertEquals(Optional.empty(), MessageCompression.accept(List.of()));
    assertEquals(Optional.empty(), MessageCompression.accept(List.of("")));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "x-webkit-deflate-frame",
        "permessage-deflate2",
        "permessage-deflate; unknown",
        "permessage-deflate; server_no_context_takeover=1",
        "permessage-deflate; client_no_context_takeover=true",
        "permessage-deflate; client_no_context_takeover; client_no_context_takeover",
        "permessage-deflate; client_max_window_bits; client_max_window_bits=10",
        "permessage-deflate; client_max_window_bits=7",
        "permessage-deflate; client_max_window_bits=16",
        "permessage-deflate; client_max_window_bits=08",
        "permessage-deflate; client_max_window_bits=x",
        "permessage-deflate; server_max_window_bits",
        "permessage-deflate; server_max_window_bits=14",
        "permessage-deflate; server_max_window_bits=16",
        "permessage-deflate; server_max_window_bits=15; server_max_window_bits=15"
      })
  void an_offer_with_anything_else_is_declined(String offer) {
    assertEquals(Optional.empty(), MessageCompression.accept(List.of(offer)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "permessage-deflate;",
        "permessage-deflate; client_max_window_bits=",
        "permessage-deflate; =15",
        "permessage-deflate; client_max_window_bits=\"15",
        "permessage-deflate; client_max_window_bits=\" 15\"",
        "permessage-deflate; client_max_window_bits=\"\"",
        "permessage-deflate client_max_window_bits",
        "permessage-deflate; a/b",
        "; a"
      })
  void what_is_no_list_of_extensions_is_an_error(String value) {
    var problem = assertThrows(Problem.class, () -> MessageCompression.accept(List.of(value)));
    assertEquals(ErrorCode.VALIDATION_ERROR, problem.code());
  }
}
