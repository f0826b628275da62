package dev.cairn.platform.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.cairn.HttpTest;
import dev.cairn.InProcess;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.io.IOException;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** The names of members are forgotten with their text, whatever part of the service reads it. */
@HttpTest
@QuarkusTest
@InProcess("It reads by the bean.")
class JsonNamesTest {
  @Inject ObjectMapper mapper;

  private static void assertForgotten(Function<byte[], String> firstName) {
    var name = "x".repeat(1000);
    var json = "{\"%s\":1}".formatted(name).getBytes(UTF_8);
    var first = firstName.apply(json);
    assertEquals(name, first);
    assertNotSame(first, firstName.apply(json));
  }

  @Test
  void of_texts_that_the_mapper_reads() {
    assertForgotten(
        json -> {
          try {
            return mapper.readTree(json).fieldNames().next();
          } catch (IOException e) {
            throw new AssertionError(e);
          }
        });
  }
}
