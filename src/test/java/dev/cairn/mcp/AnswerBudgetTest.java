package dev.cairn.mcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.model.ErrorCode;
import dev.cairn.model.Problem;
import dev.cairn.platform.memory.AnswerMemory;
import dev.cairn.platform.memory.PageBytes;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** MCP: what the answers to one request, and to all, may take in memory. */
class AnswerBudgetTest {
  private static final int PAGE = 10_240;
  private static final int SINGLE = 20_480;

  /** One answer of a page fits, and no other beside it. */
  private final AnswerMemory memory = AnswerMemory.of(PAGE + 1_024, Duration.ofMillis(20));

  private final AtomicLong now = new AtomicLong();
  private final MessageMemory messageMemory = new MessageMemory();
  private final AnswerBudget answers = answers(messageMemory, "somebody", false);

  private AnswerBudget answers(MessageMemory of, String owner, boolean isAnonymous) {
    return new AnswerBudget(memory, of, owner, isAnonymous, () -> true, PAGE, SINGLE, now::get);
  }

  private static Problem refused(Runnable work, ErrorCode code) {
    var problem = assertThrows(Problem.class, work::run);
    assertEquals(code, problem.code());
    return problem;
  }

  @Test
  void pages_end_at_what_the_answers_before_left_and_a_full_request_does_no_more() {
    assertEquals(PAGE, answers.read(PageBytes::max));
    answers.takeRead(PAGE - 1);
    assertEquals(1, answers.read(PageBytes::max));
    answers.takeRead(1);

    var ran = new AtomicBoolean();
    refused(() -> answers.read(() -> ran.getAndSet(true)), ErrorCode.PAYLOAD_TOO_LARGE);
    refused(() -> answers.write(() -> ran.getAndSet(true)), ErrorCode.PAYLOAD_TOO_LARGE);
    assertFalse(ran.get());
  }

  @Test
  void an_answer_to_a_read_has_a_limit_and_one_to_a_write_has_none() {
    answers.read(() -> "");
    answers.takeRead(SINGLE);
    var other = answers(new MessageMemory(), "somebody", true);
    var problem = refused(() -> other.takeRead(SINGLE + 1), ErrorCode.PAYLOAD_TOO_LARGE);
    assertTrue(problem.hint().contains("limit"), problem.hint());

    messageMemory.requestEnded();
    messageMemory.workEnded();
    answers(new MessageMemory(), "else", false).takeWritten(SINGLE + 1);
  }

  @Test
  void no_message_begins_ten_seconds_after_its_request() {
    answers.requireStillAllowed();
    now.set(TimeUnit.SECONDS.toNanos(10));
    answers.requireStillAllowed();
    now.incrementAndGet();
    var refused = assertThrows(McpError.class, answers::requireStillAllowed);
    assertTrue(refused.getMessage().contains("10 s"), refused.getMessage());
  }

  @Test
  void a_read_that_waited_for_room_is_not_done_once_its_token_has_ended() {
    var other = answers(new MessageMemory(), "else", false);
    var ended =
        new AnswerBudget(
            memory,
            messageMemory,
            "somebody",
            false,
            () -> {
              // It is asked when the read has its room.
              refused(() -> other.read(() -> ""), ErrorCode.UNAVAILABLE);
              return false;
            },
            PAGE,
            SINGLE,
            now::get);
    now.set(TimeUnit.SECONDS.toNanos(2));
    var refused = assertThrows(McpError.class, () -> ended.read(() -> "late"));
    assertTrue(refused.getMessage().contains("revoked"), refused.getMessage());
    assertEquals("read", other.read(() -> "read"));
  }

  @Test
  void a_short_answer_to_a_write_finds_room_beside_a_read() {
    answers.read(() -> "");
    answers(new MessageMemory(), "else", false).takeWritten(100);
  }

  @Test
  void a_read_that_finds_no_room_is_not_done_until_another_request_has_ended() {
    answers.read(() -> "");

    var second = answers(new MessageMemory(), "else", false);
    var ran = new AtomicBoolean();
    var problem = refused(() -> second.read(() -> ran.getAndSet(true)), ErrorCode.UNAVAILABLE);
    assertEquals(2, problem.details().get("retryAfter"));
    assertFalse(ran.get());
    assertEquals("read", answers(new MessageMemory(), "address", true).read(() -> "read"));

    messageMemory.requestEnded();
    refused(() -> second.read(() -> ""), ErrorCode.UNAVAILABLE);
    messageMemory.workEnded();
    assertEquals("read", second.read(() -> "read"));
  }

  @Test
  void while_later_messages_wait_others_have_the_room_that_the_answers_do_not_take() {
    answers.read(() -> "");
    answers.takeRead(100);
    answers.read(() -> "");
    answers.takeRead(100);

    var second = answers(new MessageMemory(), "else", false);
    assertEquals("read", second.read(() -> "read"));
  }

  @Test
  void a_read_that_fails_leaves_no_room_taken() {
    assertThrows(
        IllegalStateException.class,
        () ->
            answers.read(
                () -> {
                  throw new IllegalStateException();
                }));
    refused(() -> tooLarge(answers), ErrorCode.PAYLOAD_TOO_LARGE);

    assertEquals("read", answers(new MessageMemory(), "else", false).read(() -> "read"));
  }

  private static void tooLarge(AnswerBudget of) {
    of.read(() -> "");
    of.takeRead(SINGLE + 1);
  }

  @Test
  void an_answer_that_was_never_counted_gives_its_room_back_at_the_end() {
    answers.read(() -> "");
    messageMemory.requestEnded();
    messageMemory.workEnded();

    assertEquals("read", answers(new MessageMemory(), "else", false).read(() -> "read"));
  }

  @Test
  void a_write_waits_for_no_room_before_it_and_says_that_it_was_done_when_none_is_left() {
    answers.read(() -> "");

    var second = answers(new MessageMemory(), "else", false);
    assertEquals("written", second.write(() -> "written"));
    var problem = refused(() -> second.takeWritten(PAGE), ErrorCode.UNAVAILABLE);
    assertTrue(problem.detail().contains("carried out"), problem.detail());
  }

  @Test
  void large_answers_have_a_room_of_their_own() {
    answers.read(() -> "");
    answers.takeRead(PAGE + 1);

    var second = answers(new MessageMemory(), "address", true);
    second.read(() -> "");
    refused(() -> second.takeRead(PAGE + 1), ErrorCode.UNAVAILABLE);
    messageMemory.requestEnded();
    messageMemory.workEnded();
    answers(new MessageMemory(), "else", false).takeWritten(PAGE + 1);
  }

  @Test
  void a_message_whose_connection_is_closed_is_not_carried_out() {
    answers.requireStillAllowed();
    messageMemory.requestEnded();
    assertThrows(McpError.class, answers::requireStillAllowed);
  }
}
